import type { Member } from "../member.ts";
import { priority } from "./priority.ts";

/** Orders the eligible members of one tier, given as declared: a permutation, the first is tried first. */
export type Strategy = (members: readonly Member[]) => readonly Member[];

export const STRATEGIES = { priority } as const satisfies Record<string, Strategy>;

export type StrategyName = keyof typeof STRATEGIES;
