/**
 * Plays the canary against hosts that are all well but for questions that fail by accident, and prints how
 * often one is suspended all the same; then against one that is ill. What decides is the router's own code;
 * accidents are independent of each other, which real ones need not be.
 *
 *   bun scripts/simulate-canary.ts [--days N] [--hosts N] [--runs N] [--seed N]
 */
import { parseArgs } from "node:util";

import { confirm } from "../src/canary/contracts/confirm.ts";
import {
  type Contract,
  CONTRACTS,
  failed,
  PASSED,
  type ProbeVerdict,
} from "../src/canary/contracts/contract.ts";
import type { Endpoint } from "../src/canary/endpoints/endpoint.ts";
import { applyRound } from "../src/canary/ladder/apply-round.ts";
import { EMPTY_FLEET, type Fleet } from "../src/canary/ladder/state.ts";
import { finishRound } from "../src/canary/rounds/finish-round.ts";
import { STRONG } from "../src/canary/rounds/probe-strength.ts";
import { seededRandom } from "../src/lib/random.ts";

const { values } = parseArgs({
  options: {
    days: { type: "string", default: "30" },
    hosts: { type: "string", default: "15" },
    runs: { type: "string", default: "40" },
    seed: { type: "string", default: "1" },
  },
});
const DAYS = Number(values.days);
const HOSTS = Number(values.hosts);
const RUNS = Number(values.runs);
const random = seededRandom(Number(values.seed));

const INTERVAL = 30 * 60_000;
const ROUNDS_PER_DAY = 48;
const PRICE = { input_usd: 0, output_usd: 0, cached_input_usd: 0 };

const hosts = Array.from({ length: HOSTS }, (_, at): Endpoint => {
  const host = `host-${at}`;
  const about = { instance: "or", model: "a/m", host, host_name: host, groups: ["or:a/m"] };
  return { key: `or:a/m@${host}`, ...about, price: PRICE, supported: null, reasoning: false };
});

/** One question, confirmed as often as the canary would; fails with a probability. */
function ask(share: number): ProbeVerdict {
  const verdicts: ProbeVerdict[] = [];
  for (;;) {
    verdicts.push(random() < share ? failed("by_accident") : PASSED);
    const confirmed = confirm(verdicts);
    if (confirmed.kind === "decided") return confirmed.verdict;
  }
}

interface Played {
  readonly fleet: Fleet;
  readonly suspended: number;
}

/** One round; `shareOf` says how often the answers of a host fail. */
function playRound(
  fleet: Fleet,
  contracts: readonly Contract[],
  shareOf: (endpoint: Endpoint) => number,
): Played {
  const round_n = fleet.last_round_n + 1;
  const ended_at = round_n * INTERVAL;
  const head = {
    round_id: `round-${round_n}`,
    round_n,
    mode: "enforce",
    started_at: ended_at - 60_000,
    ended_at,
    interval_ms: INTERVAL,
  } as const;
  const probed = hosts.map((endpoint) => {
    const outcomes = contracts.map((contract) => {
      const { result, reason } = ask(shareOf(endpoint));
      return { contract, locale: null, result, reason };
    });
    return { endpoint, role: "watched", is_production: true, outcomes } as const;
  });
  const applied = applyRound(fleet, finishRound(head, probed, STRONG));
  const suspended = applied.events.filter(({ kind }) => kind === "suspended").length;
  return { fleet: applied.fleet, suspended };
}

function falseSuspensions(share: number, contracts: readonly Contract[]): number {
  let fleet = EMPTY_FLEET;
  let suspended = 0;
  for (let round = 0; round < DAYS * ROUNDS_PER_DAY; round++) {
    const played = playRound(fleet, contracts, () => share);
    fleet = played.fleet;
    suspended += played.suspended;
  }
  return suspended;
}

/** False suspensions a day of one question per round, as the arithmetic of the design has them. */
const EXPECTED: readonly (readonly [share: number, a_day: number])[] = [
  [0.002, 5e-8],
  [0.01, 3e-5],
  [0.02, 5e-4],
  [0.05, 0.017],
  [0.1, 0.26],
];

const percent = (share: number) => `${Number((share * 100).toFixed(2))} %`;

/** What the rule comes to by calculation: two failing rounds in a row, each confirmed once of twice. */
function calculated(share: number, questions: number): number {
  const confirmed = share * (1 - (1 - share) ** 2);
  return HOSTS * ROUNDS_PER_DAY * (1 - (1 - confirmed) ** questions) ** 2;
}

function printFalse(): void {
  console.log(`\nFalse suspensions of ${HOSTS} sound hosts in ${DAYS} days, mean of ${RUNS} runs`);
  console.log(
    "fail rate   one question a round: played, calculated, by the design   four: played, calculated",
  );
  for (const [share, a_day] of EXPECTED) {
    const cells = [CONTRACTS.slice(0, 1), CONTRACTS].map((contracts) => {
      const counts = Array.from({ length: RUNS }, () => falseSuspensions(share, contracts));
      const mean = counts.reduce((sum, count) => sum + count, 0) / RUNS;
      return `${mean.toFixed(3)}, ${(calculated(share, contracts.length) * DAYS).toPrecision(2)}`;
    });
    const design = (a_day * DAYS).toPrecision(2);
    console.log(`  ${percent(share).padEnd(9)} ${cells[0]}, ${design}`.padEnd(60), cells[1]);
  }
}

/** Rounds until a host with a real fault is suspended; null if not within a day. */
function roundsUntil(share: number): number | null {
  const [ill] = hosts;
  let fleet = EMPTY_FLEET;
  for (let round = 1; round <= ROUNDS_PER_DAY; round++) {
    const played = playRound(fleet, CONTRACTS.slice(0, 1), (one) => (one === ill ? share : 0));
    if (played.suspended > 0) return round;
    fleet = played.fleet;
  }
  return null;
}

function printDetection(): void {
  console.log(
    "\nA host whose answers to one question fail so often: suspended after two rounds, within a day",
  );
  for (const share of [0.95, 0.75, 0.5, 0.35]) {
    const rounds = Array.from({ length: 10 * RUNS }, () => roundsUntil(share));
    const soon = rounds.filter((count) => count === 2).length / rounds.length;
    const found = rounds.filter((count) => count !== null).length / rounds.length;
    console.log(`  ${percent(share).padEnd(6)} ${percent(soon)}, ${percent(found)}`);
  }
}

console.log(`seed ${values.seed}`);
printFalse();
printDetection();
