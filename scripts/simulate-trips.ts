/**
 * Plays the trip rule against made-up traffic, and prints how often it benches what is well, how soon
 * it benches what is ill, and how it lets go. What decides is the router's own code; the answers are
 * independent of each other and arrive at random, which real ones are not.
 *
 *   bun scripts/simulate-trips.ts [--days N] [--runs N] [--seed N]
 */
import { parseArgs } from "node:util";

import { tripState } from "../src/health/breaker.ts";
import { seededRandom } from "../src/lib/random.ts";
import { type SignatureRig, signatureRig } from "../test/support/signature-rig.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "300" },
    runs: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
  },
});
const DAYS = Number(values.days);
const RUNS = Number(values.runs);
const random = seededRandom(Number(values.seed));

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TARGET = "box:model";
const RATES = [1, 10, 100] as const;
/** Signatures of either grade. */
const GRADES = { content: "empty_200", encoding: "mojibake" } as const;
type Grade = keyof typeof GRADES;

/** One target whose answers are bad with a probability, behind a breaker. */
interface Traffic {
  readonly rig: SignatureRig;
  readonly per_minute: number;
  readonly grade: Grade;
}

/** Moves the clock to the next request. */
function arrive({ rig, per_minute }: Traffic): void {
  rig.clock.move((-Math.log(1 - random()) * MINUTE) / per_minute);
}

function isOpen({ rig }: Pick<Traffic, "rig">): boolean {
  return rig.trips.list().some((trip) => tripState(trip, rig.clock.now()) === "open");
}

/** One answer; true if it was bad. */
function answer({ rig, grade }: Traffic, share: number): boolean {
  const isBad = random() < share;
  rig.answer(TARGET, isBad ? GRADES[grade] : "ok");
  return isBad;
}

const openings = ({ rig }: Traffic) =>
  rig.notices.filter((notice) => notice.kind === "breaker_opened" && notice.trip.reopened === 0)
    .length;

/** Days of ordinary traffic, so that there is a baseline. */
function warmed(about: Pick<Traffic, "per_minute" | "grade">, share = 0, days = 1.2): Traffic {
  const traffic = { ...about, rig: signatureRig({ random }) };
  const until = traffic.rig.clock.now() + days * DAY;
  while (traffic.rig.clock.now() < until) {
    arrive(traffic);
    if (!isOpen(traffic)) answer(traffic, share);
  }
  return traffic;
}

/** Trips per week of a target whose answers are bad with this probability all the time. */
function falseTrips(about: Pick<Traffic, "per_minute" | "grade">, share: number): number {
  // As many answers for each cell, within reason.
  const days = Math.max(10, Math.min(DAYS, (DAYS * 10) / about.per_minute));
  const traffic = warmed(about, share);
  const before = openings(traffic);
  const until = traffic.rig.clock.now() + days * DAY;
  while (traffic.rig.clock.now() < until) {
    arrive(traffic);
    if (!isOpen(traffic)) answer(traffic, share);
  }
  return ((openings(traffic) - before) / days) * 7;
}

/** Calls until the trip of a fault with this share, and bad answers among them. */
function untilTrip(traffic: Traffic, share: number) {
  let [calls, bad] = [0, 0];
  while (traffic.rig.trips.list().length === 0 && calls < 5000) {
    arrive(traffic);
    calls++;
    if (answer(traffic, share)) bad++;
  }
  return { calls, bad };
}

/** A copy of a warmed target: the same baseline in a rig of its own. */
function copyOf({ rig, ...about }: Traffic): Traffic {
  rig.watch.save();
  const tallies = [...rig.saved.tallies.values()];
  return { ...about, rig: signatureRig({ random, tallies, clock: clockAt(rig) }) };
}

function clockAt(rig: SignatureRig): SignatureRig["clock"] {
  let now = rig.clock.now();
  return { now: () => now, elapsed: () => now, move: (ms) => void (now += ms) };
}

/** An hour of fault at 10 requests a minute, and the time until all is well again. */
function incident(base: Traffic, share: number) {
  const traffic = copyOf(base);
  const { clock, trips } = traffic.rig;
  const end = clock.now() + 60 * MINUTE;
  let bad = 0;
  while (clock.now() < end || trips.list().length > 0) {
    arrive(traffic);
    if (isOpen(traffic)) continue;
    if (answer(traffic, clock.now() < end ? share : 0)) bad++;
    if (clock.now() > end + DAY) break;
  }
  return { bad, back: Math.max(0, (clock.now() - end) / MINUTE) };
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const mean = (numbers: readonly number[]) =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const percent = (share: number) => `${Math.round(share * 10_000) / 100} %`;
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

function printFalseTrips(grade: Grade, shares: readonly number[]): void {
  console.log(`\nFalse trips per key and week, ${grade} signature (${GRADES[grade]})`);
  for (const per_minute of RATES) {
    const cells = shares.map(
      (share) => `${percent(share)}: ${falseTrips({ per_minute, grade }, share).toFixed(2)}`,
    );
    console.log(`  ${per_minute} req/min   ${cells.join("   ")}`);
  }
}

function printDetection(grade: Grade, shares: readonly number[]): void {
  console.log(`\nCalls until the trip p50/p90, within 20 calls, bad answers; ${grade} signature`);
  for (const per_minute of RATES) {
    const base = warmed({ per_minute, grade });
    const cells = shares.map((share) => {
      const runs = times(RUNS, () => untilTrip(copyOf(base), share));
      const calls = runs.map((run) => run.calls);
      const soon = calls.filter((count) => count <= 20).length / calls.length;
      const bad = mean(runs.map((run) => run.bad)).toFixed(1);
      return `${percent(share)}: ${quantile(calls, 0.5)}/${quantile(calls, 0.9)} ${percent(soon)} ${bad}`;
    });
    console.log(`  ${per_minute} req/min   ${cells.join("   ")}`);
  }
}

function printColdStart(): void {
  const runs = times(RUNS, () => {
    const traffic: Traffic = { per_minute: 4.3, grade: "content", rig: signatureRig({ random }) };
    return untilTrip(traffic, 0.352).calls;
  });
  const soon = runs.filter((calls) => calls <= 20).length / runs.length;
  const [p50, p90] = [quantile(runs, 0.5), quantile(runs, 0.9)];
  console.log(`\n35.2 % without any baseline: ${p50}/${p90} calls, within 20: ${percent(soon)}`);
}

function printRecovery(): void {
  console.log(
    "\nAn hour of fault at 10 req/min: bad answers, trials included (without a breaker);",
  );
  console.log("minutes until it serves again after the end, p50/p90");
  const base = warmed({ per_minute: 10, grade: "content" });
  for (const share of [0.1, 0.2, 0.35, 0.7, 1]) {
    const runs = times(RUNS, () => incident(base, share));
    const bad = mean(runs.map((run) => run.bad)).toFixed(1);
    const back = runs.map((run) => run.back);
    const [p50, p90] = [quantile(back, 0.5).toFixed(1), quantile(back, 0.9).toFixed(1)];
    console.log(`  ${percent(share)}: ${bad} (${Math.round(600 * share)})   ${p50}/${p90} min`);
  }
}

console.log(`seed ${values.seed}, ${DAYS} days at 10 req/min, ${RUNS} runs a cell`);
printFalseTrips("content", [0.001, 0.01, 0.02, 0.05]);
printFalseTrips("encoding", [0.0001, 0.001, 0.005]);
printDetection("content", [0.1, 0.2, 0.35, 0.5, 1]);
printDetection("encoding", [0.35, 1]);
printColdStart();
printRecovery();
