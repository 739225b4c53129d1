import type { Random } from "../../lib/random.ts";
import type { Contender } from "../member.ts";
import type { Need } from "../need.ts";
import { leastBusy } from "./least-busy.ts";
import { lowestCost } from "./lowest-cost.ts";
import { lowestLatency } from "./lowest-latency.ts";
import { mostCredits } from "./most-credits.ts";
import { priority } from "./priority.ts";
import { roundRobin } from "./round-robin.ts";
import { weighted } from "./weighted.ts";

/** What an order may depend on beside the contenders themselves. */
export interface Ordering {
  /** Plans of the pool that have taken their turn so far. */
  readonly cursor: number;
  readonly random: Random;
  readonly need: () => Need;
}

/**
 * Orders the eligible contenders of one tier, given as declared: a permutation, the first is tried
 * first. Ties stay as declared.
 */
export type Strategy = (
  contenders: readonly Contender[],
  ordering: Ordering,
) => readonly Contender[];

export const STRATEGIES = {
  priority,
  round_robin: roundRobin,
  weighted,
  lowest_latency: lowestLatency,
  lowest_cost: lowestCost,
  least_busy: leastBusy,
  most_credits: mostCredits,
} as const satisfies Record<string, Strategy>;

export type StrategyName = keyof typeof STRATEGIES;
