/** The driver, the seam and the tunnel with real processes: the fake as a program. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { systemClock } from "../../../../src/lib/clock.ts";
import { createMachineCalls } from "../../../../src/runtimes/bootstrap/machine.ts";
import { createColabDriver } from "../../../../src/runtimes/colab/create-driver.ts";
import { createCommands } from "../../../../src/runtimes/command.ts";
import { systemPause } from "../../../../src/runtimes/pause.ts";
import { freePort } from "../../../../src/runtimes/tunnel/free-port.ts";
import { endLeftoverSsh } from "../../../../src/runtimes/tunnel/leftover.ts";
import { openTunnel } from "../../../../src/runtimes/tunnel/open-tunnel.ts";
import { probeThroughTunnel } from "../../../../src/runtimes/tunnel/probe.ts";
import { identityPath } from "../../../../src/runtimes/tunnel/ssh-command.ts";
import { createLog } from "../../../../src/telemetry/log.ts";
import { installFakeColab } from "../../../support/fake-colab/install.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { until } from "../../../support/until.ts";

const SECRET = "sk-marker-4f1c";
const PROBE = { key: SECRET, served_model: "qwen", timeout_ms: 5000 };

function realRig() {
  const dir = tempDir();
  const fake = installFakeColab(dir.file("fake"), { ssh: true });
  const lines: string[] = [];
  const log = createLog({
    level: "debug",
    destination: { write: (line) => void lines.push(line) },
  });
  const commands = createCommands({ log, clock: systemClock });
  const path = `${fake.bin}:${process.env["PATH"] ?? ""}`;
  const root = dir.file("state/colab");
  const driver = createColabDriver({
    run: commands.run,
    clock: systemClock,
    root,
    userHome: dir.file("home"),
    env: { PATH: path, HF_TOKEN: SECRET },
    program: "colab",
    auth: "oauth2",
  });
  const machine = createMachineCalls({ driver, name: "a", nonce: () => Bun.randomUUIDv7() });
  const end = () => dir[Symbol.dispose]();
  return { dir, fake, lines, commands, path, driver, machine, [Symbol.dispose]: end };
}

type Rig = ReturnType<typeof realRig>;

function tunnelTo(rig: Rig, endpoint: string, local_port: number) {
  const { driver, commands, path } = rig;
  const { run, start } = commands;
  return openTunnel(
    { driver, run, start, clock: systemClock, random: () => 0, pause: systemPause, path },
    { name: "a", endpoint, local_port, remote_port: 8000 },
  );
}

/** A model server, on the machine as the tunnel sees it. */
function modelServer() {
  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      request.headers.get("authorization") === `Bearer ${SECRET}`
        ? Response.json({ data: [{ id: "qwen" }] })
        : new Response(null, { status: 401 }),
  });
}

async function rentAndServe(rig: Rig): Promise<string> {
  const created = await rig.driver.create({ name: "a", sku: "T4" });
  if (created.kind !== "created") throw new Error(created.fault.message);
  await rig.machine.sendSecrets({ VLLM_API_KEY: SECRET });
  // Of the plan the fake reads the name of the model, no more.
  const plan = { serve: ["--served-model-name=qwen"] };
  const launched = await rig.machine.launch("L1", { ...EMPTY_PLAN, ...plan });
  if (launched.kind !== "ok") throw new Error(launched.fault.detail);
  return created.endpoint;
}

const EMPTY_PLAN = {
  install: [],
  companions: [],
  environment: {},
  secrets_file: "",
  key_variable: "",
  cache: null,
  download: null,
  ready_url: "",
  ready_limit_s: 1,
  poll_s: 1,
} as const;

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
  rig.fake.server.transact((state) => void (state.vm_port = server.port ?? null));
  const endpoint = await rentAndServe(rig);
  const port = freePort();
  const tunnel = tunnelTo(rig, endpoint, port);
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
  const tunnel = tunnelTo(rig, endpoint, server.port ?? 0);

  await until(() => tunnel.state().kind === "failed");

  expect(tunnel.state()).toMatchObject({ end: { fault: "port_taken" } });
  await tunnel.close();
}, 30_000);

test("the ssh of a process that was killed is ended, and no other process is", async () => {
  using rig = realRig();
  const endpoint = await rentAndServe(rig);
  const tunnel = tunnelTo(rig, endpoint, freePort());
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
  const tunnel = tunnelTo(rig, endpoint, freePort());
  await until(() => tunnel.state().kind === "running");

  const key = identityPath(rig.driver.directory("a"));

  expect(statSync(key).mode & 0o777).toBe(0o600);
  await tunnel.close();
}, 30_000);
