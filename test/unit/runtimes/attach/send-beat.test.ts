import { expect, test } from "bun:test";

import type { Faults } from "../../../support/fake-colab/faults.ts";
import { MINUTE, T4_PLAN } from "../../../support/lease.ts";
import { sendRealBeats } from "../../../support/real-beats.ts";
import { supervisedRig } from "../../../support/supervised-rig.ts";

/** A runtime that serves, whose heartbeats are those of the product. */
async function serving() {
  const made = supervisedRig();
  const process = made.process();
  const { begin, bringUp, supervisor } = process;
  sendRealBeats(made, process);
  await begin("a", { plan: T4_PLAN, served_model: "qwen" });
  await bringUp("a");
  await process.pass(MINUTE);
  // So that nothing but heartbeats keeps it.
  supervisor.noteActivity("a", "start");
  const { server } = made.rig.colab;
  return {
    made,
    ...process,
    killWatchdog: () =>
      server.transact(({ machines }) => machines.forEach((one) => (one.watchdog = null))),
    watchdogs: () => made.rig.colab.billing().map(({ watchdog }) => watchdog?.ttl_ms ?? null),
    seenAt: () => supervisor.leases().map(({ watchdog }) => watchdog?.seen_at ?? null),
    [Symbol.dispose]: () => made[Symbol.dispose](),
  };
}

const never = new AbortController().signal;

test("a watchdog that died is started anew with its own limit, and that is said", async () => {
  using one = await serving();
  one.killWatchdog();

  await one.pass(6 * MINUTE);

  expect(one.watchdogs()).toEqual([30 * MINUTE]);
  expect(one.made.told).toEqual(["the watchdog of a had died and was started anew"]);
  expect(one.seenAt()).toEqual([expect.any(Number)]);
});

test("a runtime whose watchdog stays dead is said to cost money, and is released when the router stops", async () => {
  using one = await serving();
  one.killWatchdog();
  one.made.rig.colab.setFaults({ watchdog: "no" });
  await one.pass(20 * MINUTE);
  expect(one.seenAt()).toEqual([null]);
  expect(one.made.told).toEqual([
    expect.stringMatching(
      /^MAY STILL BE BILLING a T4 .*: its watchdog is dead, so that only this router releases it: /,
    ),
  ]);

  const notices = await one.supervisor.close(never);

  expect([notices, one.made.rig.colab.billing()]).toEqual([[], []]);
});

test("a watchdog that could not be started at first is, with a later heartbeat", async () => {
  using one = await serving();
  one.killWatchdog();
  one.made.rig.colab.setFaults({ watchdog: "no" });
  await one.pass(6 * MINUTE);
  one.made.rig.colab.setFaults({});

  await one.pass(6 * MINUTE);

  expect(one.watchdogs()).toEqual([30 * MINUTE]);
  expect(one.made.told.at(-1)).toBe("the watchdog of a had died and was started anew");
});

test.each<{ what: string; faults: Faults }>([
  {
    what: "one answer was lost, whose session the command then forgot",
    faults: { exec: "lost*1" },
  },
  { what: "one connection broke", faults: { exec: "conn-lost*1" } },
  { what: "one cell said nothing", faults: { exec: "silent*1" } },
])("a runtime in use outlives that $what", async ({ faults }) => {
  using one = await serving();
  one.made.rig.colab.setFaults(faults);

  await one.pass(60 * MINUTE);

  expect(one.watchdogs()).toEqual([30 * MINUTE]);
  expect(one.made.told).toEqual([]);
});

test("while heartbeats fail it is said once, with when the watchdog releases; and once that they come again", async () => {
  using one = await serving();
  one.made.rig.colab.setFaults({ exec: "conn-lost" });
  await one.pass(16 * MINUTE);
  expect(one.made.told).toEqual([
    expect.stringMatching(
      /^a gets no heartbeat, and its watchdog releases it by 2030-01-01T00:3\d:\d\dZ unless one comes through: `colab` could not /,
    ),
  ]);
  one.made.rig.colab.setFaults({});

  await one.pass(6 * MINUTE);

  expect(one.made.told.slice(1)).toEqual(["a gets heartbeats again"]);
  expect(one.watchdogs()).toEqual([30 * MINUTE]);
});

test("a heartbeat that a release has ended is not sent again", async () => {
  using one = await serving();
  const { colab } = one.made.rig;
  const [came, goes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  colab.around = async (argv, run) => {
    if (!argv.includes("exec")) return run();
    came.resolve();
    await goes.promise;
    return { kind: "ended", cause: "abort", stdout: "", stderr: "" };
  };
  const [lease] = one.supervisor.leases();
  if (lease === undefined) throw new Error("it is watched");
  const before = colab.commands.length;
  const beat = one.attachments.beat(lease);
  await came.promise;
  goes.resolve();

  expect(await beat).toMatchObject({ kind: "unknown" });
  expect(colab.commands.slice(before)).toHaveLength(1);
});

test("a machine that is gone gets no second heartbeat", async () => {
  using one = await serving();
  one.made.rig.colab.server.transact((state) => void (state.machines = []));
  const before = one.made.rig.colab.commands.length;

  const [lease] = one.supervisor.leases();
  if (lease === undefined) throw new Error("it is watched");
  const report = await one.attachments.beat(lease);

  expect(report.kind).toBe("unknown");
  const asked = one.made.rig.colab.commands.slice(before);
  expect(asked.filter((argv) => argv.includes("exec"))).toHaveLength(1);
});
