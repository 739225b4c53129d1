import { expect, test } from "bun:test";

import { type Random, seededRandom } from "../../../src/lib/random.ts";
import type { Faults } from "../../support/fake-colab/faults.ts";
import { HOUR, MINUTE } from "../../support/lease.ts";
import { supervisedRig } from "../../support/supervised-rig.ts";

/** What may go wrong at once; each holds for some calls, or for a while. */
const TROUBLES: readonly Faults[] = [
  {},
  { new: "timeout-leak*1", leak_ms: 2 * MINUTE },
  { new: "crash-after-assign*1" },
  { new: "crash-before*1" },
  { new: "not-stored*1" },
  { new: "503*1" },
  { new: "412*1" },
  { list_lag_ms: 40_000 },
  { sessions: "500*3" },
  { sessions: "false-empty*4" },
  { sessions: "badenum*2" },
  { stop: "500*3" },
  { stop: "lies*2" },
  { stop: "not-found*2" },
  { stop: "network*4" },
  { vanish_after_ms: 20 * MINUTE },
  { banner: "1" },
  { auth: "adc-expired" },
];

const READY = {
  phase: "ready",
  base_url: "http://127.0.0.1:18000/v1",
  external: { hardware: "T4", variant: "GPU" },
} as const;

function pick<T>(random: Random, from: readonly T[]): T {
  const found = from[Math.floor(random() * from.length)];
  if (found === undefined) throw new Error("nothing to pick from");
  return found;
}

/** One life: rents, meets trouble, is killed somewhere, starts again, and is watched to its end. */
async function live(seed: number) {
  const random = seededRandom(seed);
  using made = supervisedRig();
  const { rig } = made;
  const first = made.process();
  rig.colab.setFaults(structuredClone(pick(random, TROUBLES)));
  await first.begin("a");
  const isRented = random() < 0.85;
  const report = isRented ? await rig.driver.create({ name: "a", sku: "T4" }) : null;
  const endpoint = report?.kind === "created" ? report.endpoint : null;
  if (endpoint !== null && random() < 0.7) {
    const { listing } = await rig.driver.list();
    const isListed = listing.sessions.some((session) => session.endpoint === endpoint);
    const isReady = isListed && random() < 0.6;
    await first.leases.update("a", () => ({ endpoint, ...(isReady ? READY : {}) }));
  }
  // Killed here, or after a while of looking on.
  await first.pass(Math.floor(random() * 3) * 10 * MINUTE);
  if (random() < 0.3) void first.supervisor.release("a", { why: "somebody said so" });
  first.kill();
  rig.colab.setFaults({
    ...rig.colab.server.transact(({ faults }) => faults),
    ...structuredClone(pick(random, TROUBLES)),
  });
  const second = made.process();
  await second.supervisor.start().catch(() => undefined);
  await second.pass(Math.floor(random() * 60) * MINUTE);
  const files = await second.leases.list();
  const open = rig.colab.billing().map((machine) => machine.endpoint);
  const accounted = files.length > 0 || open.every((one) => made.told.join("\n").includes(one));
  rig.colab.setFaults({});
  const end = rig.clock.now() + 6 * HOUR;
  while (rig.clock.now() < end && (await second.leases.list()).length > 0) {
    await second.pass(10 * MINUTE);
  }
  return {
    unreported: open.length > 0 && !accounted ? open : [],
    billing: rig.colab.billing().map((machine) => machine.endpoint),
    leases: (await second.leases.list()).map(({ name }) => name),
  };
}

test("no life ends with a machine that costs money and that nobody speaks of", async () => {
  for (let seed = 1; seed <= 300; seed++) {
    expect({ seed, ...(await live(seed)) }).toEqual({
      seed,
      unreported: [],
      billing: [],
      leases: [],
    });
  }
}, 60_000);
