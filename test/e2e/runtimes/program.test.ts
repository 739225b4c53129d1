/** The driver, the seam and the tunnel with real processes: the fake as a program. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { freePort } from "../../../src/runtimes/tunnel/free-port.ts";
import { endLeftoverSsh } from "../../../src/runtimes/tunnel/leftover.ts";
import { probeThroughTunnel } from "../../../src/runtimes/tunnel/probe.ts";
import { identityPath } from "../../../src/runtimes/tunnel/ssh-command.ts";
import {
  colabProcesses,
  modelServer,
  rentAndServe,
  SECRET,
  tunnelTo,
} from "../../support/colab-processes.ts";
import { until } from "../../support/until.ts";

const PROBE = { key: SECRET, served_model: "qwen", timeout_ms: 5000 };

const realRig = () => colabProcesses({ ssh: "fake" });
const ports = (local_port: number) => ({ local_port, remote_port: 8000 });

/** All that is in regular files below a directory, names and content. */
function everythingIn(directory: string): string {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return paths
    .map((path) => join(directory, path))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map((path) => `${path}\n${readFileSync(path, "utf8")}`)
    .join("\n");
}

test("a machine is rented, served through the tunnel and released, and no secret is left anywhere", async () => {
  using rig = realRig();
  using server = modelServer();
  rig.fake.server.transact((state) => void (state.vm_port = server.port));
  const endpoint = await rentAndServe(rig);
  const port = freePort();
  const tunnel = tunnelTo(rig, endpoint, ports(port));
  const probe = { ...PROBE, base_url: `http://127.0.0.1:${port}/v1` };

  await until(async () => (await probeThroughTunnel(fetch, probe)).kind === "serving");
  expect(rig.fake.billing()).toMatchObject([{ files: { "/content/.veriroute.env": 28 } }]);
  await tunnel.close();
  expect(await probeThroughTunnel(fetch, probe)).toMatchObject({ kind: "miss" });
  expect(await rig.driver.stop("a")).toEqual({ kind: "terminated" });

  expect(rig.fake.billing()).toEqual([]);
  expect(everythingIn(rig.dir.path)).not.toContain(SECRET);
  expect(everythingIn(rig.dir.path)).not.toContain("ya29.");
  expect(rig.lines.join("")).not.toContain(SECRET);
}, 30_000);

test("a port that is taken is not tried for ever", async () => {
  using rig = realRig();
  using server = modelServer();
  const endpoint = await rentAndServe(rig);
  const tunnel = tunnelTo(rig, endpoint, ports(server.port));

  await until(() => tunnel.state().kind === "failed");

  expect(tunnel.state()).toMatchObject({ end: { fault: "port_taken" } });
  await tunnel.close();
}, 30_000);

test("the ssh of a process that was killed is ended, and no other process is", async () => {
  using rig = realRig();
  const endpoint = await rentAndServe(rig);
  const tunnel = tunnelTo(rig, endpoint, ports(freePort()));
  const running = await until(() => {
    const state = tunnel.state();
    return state.kind === "running" ? state : undefined;
  });
  const { run } = rig.commands;
  const directory = rig.driver.directory("a");

  expect(await endLeftoverSsh(run, { pid: process.pid, directory, path: rig.path })).toBe(false);
  // Until it has replaced the shell that starts it.
  await until(() => endLeftoverSsh(run, { pid: running.pid, directory, path: rig.path }));

  await until(() => tunnel.state().kind !== "running");
  await tunnel.close();
}, 30_000);

test("a command that hangs is ended at its time, and the next one runs", async () => {
  using rig = realRig();
  rig.fake.setFaults({ sessions: "hang*1" });
  const result = await rig.commands.run({
    argv: [rig.fake.program, "sessions"],
    env: { PATH: rig.path, HOME: rig.dir.path },
    timeout_ms: 1000,
  });

  expect(result).toMatchObject({ kind: "ended", cause: "timeout" });
  expect((await rig.driver.list()).listing.kind).toBe("clean");
}, 30_000);

test("a command that is killed after Google's answer leaves a machine that the server knows of", async () => {
  using rig = realRig();
  rig.fake.setFaults({ new: "crash-after-assign" });

  const created = await rig.driver.create({ name: "a", sku: "T4" });

  expect(created).toMatchObject({ kind: "failed", may_be_billing: true });
  expect(rig.fake.billing()).toMatchObject([{ accelerator: "T4" }]);
  expect(rig.fake.calls().at(-1)).toMatchObject({ interrupted: "crash" });
}, 30_000);

test("a store that cannot be written rents nothing", async () => {
  using rig = realRig();
  writeFileSync(rig.dir.file("state"), "a file where a directory has to be");

  const created = await rig.driver.create({ name: "a", sku: "T4" });

  expect(created).toMatchObject({ kind: "failed", may_be_billing: false });
  expect(rig.fake.calls()).toEqual([]);
}, 30_000);

test("a private key is readable by nobody else", async () => {
  using rig = realRig();
  const endpoint = await rentAndServe(rig);
  const tunnel = tunnelTo(rig, endpoint, ports(freePort()));
  await until(() => tunnel.state().kind === "running");

  const key = identityPath(rig.driver.directory("a"));

  expect(statSync(key).mode & 0o777).toBe(0o600);
  await tunnel.close();
}, 30_000);

test("a script that hangs does not hold up the release, and those behind it are not begun", async () => {
  using rig = realRig();
  await rentAndServe(rig);
  rig.fake.setFaults({ exec: "hang" });
  const hanging = rig.machine.poll("L1");
  await until(() => rig.fake.calls().some(({ interrupted }) => interrupted === "hang"));
  const queued = rig.machine.poll("L1");

  expect(await rig.driver.stop("a")).toEqual({ kind: "terminated" });

  const ended = { kind: "failed", fault: { kind: "stopped" } };
  expect(await Promise.all([hanging, queued])).toMatchObject([ended, ended]);
  expect(rig.fake.billing()).toEqual([]);
  expect(rig.fake.calls().filter(({ args }) => args.includes("exec"))).toHaveLength(2);
}, 30_000);
