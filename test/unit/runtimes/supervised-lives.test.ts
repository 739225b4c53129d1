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

type Rig = ReturnType<typeof supervisedRig>;

/** A process that rents, meets trouble, and is killed somewhere on the way. */
async function firstProcess(made: Rig, random: Random): Promise<void> {
  const { rig } = made;
  const { begin, leases, pass, supervisor, kill } = made.process();
  await begin("a");
  const report = random() < 0.85 ? await rig.driver.create({ name: "a", sku: "T4" }) : null;
  const endpoint = report?.kind === "created" ? report.endpoint : null;
  if (endpoint !== null && random() < 0.7) {
    const { listing } = await rig.driver.list();
    const isListed = listing.sessions.some((session) => session.endpoint === endpoint);
    const isReady = isListed && random() < 0.6;
    await leases.update("a", () => ({ endpoint, ...(isReady ? READY : {}) }));
  }
  await pass(Math.floor(random() * 3) * 10 * MINUTE);
  if (random() < 0.3) void supervisor.release("a", { why: "somebody said so" });
  kill();
}

/** Adds one trouble to those there are. */
function trouble({ rig }: Rig, random: Random): void {
  const before = rig.colab.server.transact(({ faults }) => faults);
  rig.colab.setFaults({ ...before, ...structuredClone(pick(random, TROUBLES)) });
}

/** One life: trouble, a process that is killed, another that finds what it left; then all is well again. */
async function live(seed: number) {
  const random = seededRandom(seed);
  using made = supervisedRig();
  const { rig, told } = made;
  trouble(made, random);
  await firstProcess(made, random);
  trouble(made, random);
  const { supervisor, leases, pass } = made.process();
  await supervisor.start();
  await pass(Math.floor(random() * 60) * MINUTE);
  const unaccounted = (await leases.list()).length > 0 ? [] : rig.colab.billing();
  const unreported = unaccounted.filter(({ endpoint }) => !told.join("\n").includes(endpoint));
  rig.colab.setFaults({});
  const end = rig.clock.now() + 6 * HOUR;
  while (rig.clock.now() < end && (await leases.list()).length > 0) await pass(10 * MINUTE);
  return { unreported, billing: rig.colab.billing(), leases: await leases.list() };
}

test("no life ends with a machine that costs money and that nobody speaks of", async () => {
  for (let seed = 1; seed <= 100; seed++) {
    expect({ seed, ...(await live(seed)) }).toEqual({
      seed,
      unreported: [],
      billing: [],
      leases: [],
    });
  }
}, 60_000);
