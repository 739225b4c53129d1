import { expect, test } from "bun:test";
import { existsSync } from "node:fs";

import { createMachineCalls } from "../../../../src/runtimes/bootstrap/machine.ts";
import { serverPlan } from "../../../../src/runtimes/bootstrap/server-plan.ts";
import type { Pause } from "../../../../src/runtimes/pause.ts";
import {
  openTunnel,
  type Tunnel,
  type TunnelState,
} from "../../../../src/runtimes/tunnel/open-tunnel.ts";
import { probeThroughTunnel } from "../../../../src/runtimes/tunnel/probe.ts";
import { colabRig } from "../../../support/colab-rig.ts";
import type { Faults } from "../../../support/fake-colab/faults.ts";

const PORT = 41_000;

async function serving(faults: Faults = {}) {
  const rig = colabRig();
  const created = await rig.driver.create({ name: "a", sku: "T4" });
  const endpoint = created.kind === "created" ? created.endpoint : "";
  const machine = createMachineCalls({ driver: rig.driver, name: "a", nonce: () => "n" });
  await machine.launch(
    "L1",
    serverPlan({
      spec: { repo: "q/q", revision: null, ctx: 4096, quant: null, concurrency: null },
      plan: {
        sku: "T4",
        recipe: "vllm",
        dtype: "half",
        gpu_memory_utilization: 0.9,
        environment: {},
        required_gib: 1,
        budget_gib: 2,
        notes: [],
      },
      served_model: "qwen",
      ready_limit_ms: 1000,
      baked: null,
    }),
  );
  rig.colab.setFaults(faults);
  /** Waits end when the test says so. */
  const pauses: { readonly ms: number; readonly end: () => void }[] = [];
  const pause: Pause = async (ms, signal) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    pauses.push({ ms, end: resolve });
    signal?.addEventListener("abort", () => resolve());
    await promise;
  };
  const { colab, driver, clock } = rig;
  const tunnel = openTunnel(
    { driver, run: colab.run, start: colab.start, clock, random: () => 0.5, pause, path: "/bin" },
    { name: "a", endpoint, local_port: PORT, remote_port: 8000 },
  );
  return { rig, tunnel, pauses, endpoint, [Symbol.dispose]: () => rig[Symbol.dispose]() };
}

async function stateOf(tunnel: Tunnel, kind: TunnelState["kind"]): Promise<TunnelState> {
  let state = tunnel.state();
  while (state.kind !== kind) state = await tunnel.changed();
  return state;
}

const PROBE = {
  base_url: `http://127.0.0.1:${PORT}/v1`,
  key: null,
  served_model: "qwen",
  timeout_ms: 1000,
};

test("a model is reached through the tunnel, and no longer once it is closed", async () => {
  using run = await serving();
  await stateOf(run.tunnel, "running");
  expect(await probeThroughTunnel(run.rig.colab.fetch, PROBE)).toEqual({ kind: "serving" });

  await run.tunnel.close();

  expect(run.tunnel.state()).toEqual({ kind: "closed" });
  expect(await probeThroughTunnel(run.rig.colab.fetch, PROBE)).toMatchObject({ kind: "miss" });
});

test("another model behind the port is a miss", async () => {
  using run = await serving();
  await stateOf(run.tunnel, "running");

  const probe = await probeThroughTunnel(run.rig.colab.fetch, { ...PROBE, served_model: "x" });

  expect(probe).toEqual({ kind: "miss", reason: "the server does not list `x`" });
  await run.tunnel.close();
});

test("a connection that is refused as busy is tried again after a while", async () => {
  using run = await serving({ ssh: "429*2" });

  for (const wait of [0, 1]) {
    expect(await stateOf(run.tunnel, "waiting")).toMatchObject({ end: { fault: "busy" } });
    expect(run.pauses[wait]?.ms).toBe(20_000);
    const left = run.tunnel.changed();
    run.pauses[wait]?.end();
    await left;
  }

  expect(await stateOf(run.tunnel, "running")).toMatchObject({ kind: "running" });
  await run.tunnel.close();
});

test("a wait can be cut short", async () => {
  using run = await serving({ ssh: "network*1" });
  await stateOf(run.tunnel, "waiting");

  run.tunnel.retryNow();

  await stateOf(run.tunnel, "running");
  await run.tunnel.close();
});

test("a machine that is gone is not connected to, and no other is rented in its place", async () => {
  using run = await serving();
  await stateOf(run.tunnel, "running");
  await run.rig.driver.stop("a");

  expect(await stateOf(run.tunnel, "waiting")).toMatchObject({ end: { fault: "dropped" } });
  run.tunnel.retryNow();
  await run.tunnel.changed();

  expect(await stateOf(run.tunnel, "waiting")).toMatchObject({ end: { fault: "no_session" } });
  expect(run.rig.colab.billing()).toEqual([]);
  await run.tunnel.close();
});

test("a token that has expired is renewed before the next connection", async () => {
  using run = await serving({ ssh_drop_ms: 1 });
  await stateOf(run.tunnel, "running");
  run.rig.move(4 * 3_600_000);
  run.pauses[0]?.end();
  await stateOf(run.tunnel, "waiting");
  run.rig.colab.setFaults({});

  run.tunnel.retryNow();

  await stateOf(run.tunnel, "running");
  await run.tunnel.close();
});

test("closing while it connects starts nothing", async () => {
  using run = await serving();

  await run.tunnel.close();
  await run.rig.driver.list("a");

  expect(run.rig.colab.commands.some(([program]) => program === "ssh")).toBe(false);
});

test("the key and the known hosts are in the runtime's own directory, and ssh reads no file of the user's", async () => {
  using run = await serving();
  await stateOf(run.tunnel, "running");
  const directory = run.rig.driver.directory("a");

  const ssh = run.rig.colab.commands.find(([program]) => program === "ssh") ?? [];

  expect(existsSync(`${directory}/ssh-key`)).toBe(true);
  expect(ssh.slice(0, 5)).toEqual(["ssh", "-F", "/dev/null", "-N", "-T"]);
  expect(ssh).toContain(`UserKnownHostsFile="${directory}/known_hosts"`);
  expect(ssh).toContain("StrictHostKeyChecking=accept-new");
  expect(ssh.slice(-5)).toEqual([
    "-i",
    `${directory}/ssh-key`,
    "-L",
    `127.0.0.1:${PORT}:127.0.0.1:8000`,
    "root@colab-runtime",
  ]);
  await run.tunnel.close();
});
