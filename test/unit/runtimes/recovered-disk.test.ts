/** A disk that takes nothing for a while and then does again, under a router that lives on. */
import { expect, test } from "bun:test";

import { type Random, seededRandom } from "../../../src/lib/random.ts";
import type { Faults } from "../../support/fake-colab/faults.ts";
import { HOUR, MINUTE, T4_PLAN } from "../../support/lease.ts";
import { sendRealBeats } from "../../support/real-beats.ts";
import {
  type SupervisedProcess,
  type SupervisedRig,
  supervisedRig,
} from "../../support/supervised-rig.ts";

const READY = { phase: "ready", base_url: "http://127.0.0.1:18000/v1" } as const;

test("a release that began while the disk was full goes on once it has recovered", async () => {
  using made = supervisedRig({ stop: "lies*2" });
  const { rent, supervisor, pass, leases } = made.process();
  await rent("a", READY);
  made.disk.isFull = true;
  await supervisor.release("a", { why: "somebody said so" });
  made.disk.isFull = false;

  await pass(15_000);
  expect(await leases.read("a")).toMatchObject({ lease: { phase: "stopping" } });
  await pass(5 * MINUTE);

  expect([made.rig.colab.billing(), await leases.list()]).toEqual([[], []]);
});

test("a runtime that became ready while the disk was full is one afterwards, and its watchdog is told so", async () => {
  using made = supervisedRig();
  const { begin, bringUp, pass, leases, attachments } = made.process();
  let beats = 0;
  attachments.beat = async () => {
    beats += 1;
    return { kind: "alive", is_new: false };
  };
  await begin("a", { plan: T4_PLAN, served_model: "qwen" });
  made.disk.isFull = true;
  const outcome = await bringUp("a");
  made.disk.isFull = false;

  await pass(20 * MINUTE);

  expect(outcome).toEqual({ kind: "ready" });
  expect(beats).toBeGreaterThan(2);
  expect(await leases.read("a")).toMatchObject({
    lease: { phase: "ready", watchdog: { ttl_s: 1800 }, endpoint: expect.any(String) },
  });
});

test("what was proven released while the disk was full is put away once it takes files", async () => {
  using made = supervisedRig();
  const { rent, supervisor, pass, leases } = made.process();
  await rent("a", READY);
  made.disk.isFull = true;
  await supervisor.release("a", { why: "somebody said so" });
  made.disk.isFull = false;

  await pass(2 * MINUTE);

  expect([made.rig.colab.billing(), await leases.list()]).toEqual([[], []]);
});

const TROUBLES: readonly Faults[] = [
  {},
  { new: "timeout-leak*1", leak_ms: 2 * MINUTE },
  { new: "not-stored*1" },
  { new: "412*1" },
  { list_lag_ms: 40_000 },
  { sessions: "500*3" },
  { stop: "500*3" },
  { stop: "lies*2" },
  { exec: "silent*2" },
  { exec: "lost*1" },
  { boot_fail: "CUDA out of memory" },
  { vanish_after_ms: 20 * MINUTE },
];

function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[Math.floor(random() * from.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

/** Phases that a runtime was seen in after it had begun to end, and before it was proven gone. */
function watchEnding({ supervisor, attachments }: SupervisedProcess) {
  const ending = new Set<string>();
  attachments.changed = ({ lease_id, phase }) => {
    if (phase === "stopped" || phase === "failed") ending.delete(lease_id);
  };
  const back: string[] = [];
  return {
    back,
    look: () => {
      for (const { lease_id, phase } of supervisor.leases()) {
        if (phase === "stopping") ending.add(lease_id);
        else if (ending.has(lease_id)) back.push(phase);
      }
    },
  };
}

/** Settles once the process is to be killed, at one of its commands; with a disk that comes and goes at them. */
function troubledCommands(
  { rig, disk }: SupervisedRig,
  random: Random,
  look: () => void,
): Promise<void> {
  const killed = Promise.withResolvers<void>();
  const at = random() < 0.4 ? 1 + Math.floor(random() * 20) : Infinity;
  let count = 0;
  rig.colab.around = async (_argv, run) => {
    if (random() < 0.2) disk.isFull = !disk.isFull;
    look();
    count += 1;
    if (count < at) return run();
    killed.resolve();
    return new Promise(() => undefined);
  };
  return killed.promise;
}

/** Rents a machine, uses it and perhaps gives it back, while the disk comes and goes. */
async function rentAndUse(
  made: SupervisedRig,
  router: SupervisedProcess,
  random: Random,
  look: () => void,
) {
  const { bringUp, pass, supervisor } = router;
  await bringUp("a");
  if (random() < 0.2) {
    made.rig.colab.server.transact(({ machines }) =>
      machines.forEach((one) => (one.watchdog = null)),
    );
  }
  const until = made.rig.clock.now() + Math.floor(random() * 90) * MINUTE;
  while (made.rig.clock.now() < until) {
    if (random() < 0.2) made.disk.isFull = !made.disk.isFull;
    if (random() < 0.05) void supervisor.release("a", { why: "somebody said so" });
    await pass(MINUTE);
    look();
  }
}

/** One life, of one process or of two of which the first is killed; all is well in the end. */
async function live(seed: number) {
  const random = seededRandom(seed);
  using made = supervisedRig(structuredClone(pick(random, TROUBLES)));
  const { disk, rig, told } = made;
  let router = made.process();
  sendRealBeats(made, router);
  const ending = watchEnding(router);
  await router.begin("a", { plan: T4_PLAN, served_model: "qwen" });
  const killed = troubledCommands(made, random, ending.look);
  const isKilled = await Promise.race([
    killed.then(() => true),
    rentAndUse(made, router, random, ending.look).then(() => false),
  ]);
  rig.colab.around = (_argv, run) => run();
  if (isKilled) {
    router.kill();
    router = made.process();
    sendRealBeats(made, router);
    await router.supervisor.start();
    await router.pass(Math.floor(random() * 20) * MINUTE);
  }
  disk.isFull = false;
  rig.colab.setFaults({});
  const { leases, pass } = router;
  const end = rig.clock.now() + 6 * HOUR;
  while (rig.clock.now() < end && (await leases.list()).length > 0) await pass(10 * MINUTE);
  const billing = rig.colab.billing().filter(({ endpoint }) => !told.join("\n").includes(endpoint));
  return { back: ending.back, billing, leases: await leases.list() };
}

test("no life on a disk that comes and goes takes back that a runtime ends, or ends with one that nobody speaks of", async () => {
  for (let seed = 1; seed <= 40; seed++) {
    expect({ seed, ...(await live(seed)) }).toEqual({ seed, back: [], billing: [], leases: [] });
  }
}, 60_000);
