import { afterEach, expect, jest, test } from "bun:test";

import { createHeldTunnels } from "../../../src/runtimes/attach/held-tunnels.ts";
import { runtimeSettings } from "../../../src/runtimes/policy/settings.ts";
import type { Tunnel } from "../../../src/runtimes/tunnel/open-tunnel.ts";
import { MINUTE, someLease, T4_PLAN } from "../../support/lease.ts";
import { supervisedRig } from "../../support/supervised-rig.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { configOf } from "../config/load.ts";

afterEach(() => void jest.useRealTimers());

test("S3-148: a machine has three minutes to be listed, its server 45, and is asked for its models every minute", () => {
  expect(runtimeSettings(configOf(""))).toMatchObject({
    assign_timeout_ms: 180_000,
    ready_timeout_ms: 2_700_000,
    liveness_ms: 60_000,
  });
});

test("S3-148: a server that comes is looked for every ten seconds", async () => {
  using made = supervisedRig({ boot_ms: 25_000 });
  const { begin, bringUp, supervisor } = made.process();
  await begin("a", { plan: T4_PLAN, served_model: "qwen", sku: "T4" });

  await bringUp("a");

  const at = new Map(supervisor.find("a")?.events.map((event) => [event.what, event.at]));
  expect((at.get("ready") ?? 0) - (at.get("it has Fake T4") ?? 0)).toBe(30_000);
});

test("S3-148: a server that has not answered within ten seconds is a miss", async () => {
  using dir = tempDir();
  const tunnel: Tunnel = {
    state: () => ({ kind: "running", pid: 1, since: 0 }),
    changed: () => new Promise(() => undefined),
    retryNow: () => undefined,
    close: async () => undefined,
  };
  const asked: AbortSignal[] = [];
  let isHanging = false;
  const tunnels = createHeldTunnels({
    driver: { directory: () => dir.path },
    run: () => new Promise(() => undefined),
    openTunnel: () => tunnel,
    freePort: () => 18_000,
    fetch: (_, { signal }) => {
      asked.push(signal);
      if (!isHanging) return Promise.resolve(Response.json({ data: [{ id: "qwen" }] }));
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    },
    clock: { elapsed: () => 0 },
    pause: async () => undefined,
    path: "",
    moved: () => undefined,
  });
  const lease = someLease({ name: "a", served_model: "qwen" });
  await tunnels.open(lease);
  isHanging = true;
  jest.useFakeTimers();

  const answered = tunnels.answers(lease);
  jest.advanceTimersByTime(9999);
  const before = asked.at(-1)?.aborted;
  jest.advanceTimersByTime(1);

  expect([before, asked.at(-1)?.aborted, await answered]).toEqual([false, true, false]);
});

test("S3-146, T24: a busy runtime that has used its compute units is released", async () => {
  using made = supervisedRig();
  const { rent, supervisor, pass } = made.process();
  await rent("a", { phase: "ready", max_cu: 1.19 });
  supervisor.noteActivity("a", "start");

  await pass(59 * MINUTE);
  const before = made.rig.colab.billing().length;
  await pass(3 * MINUTE);

  expect([before, made.rig.colab.billing().length]).toEqual([1, 0]);
});
