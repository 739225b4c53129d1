import type { Contender } from "../member.ts";
import type { Balance } from "../signals.ts";
import { ranked } from "./rank.ts";

/**
 * Most money left first, then those of whom nobody knows, then the empty ones. Dollars and credits
 * cannot be compared: the first declared contender with funds says which count, funds in the other
 * unit are as good as unknown.
 */
export function mostCredits(contenders: readonly Contender[]): readonly Contender[] {
  const unit = contenders
    .map(({ signals }) => signals.balance)
    .find((balance) => balance !== null && balance.amount > 0)?.unit;
  return ranked(contenders, ({ signals: { balance } }) => rankOf(balance, unit));
}

const UNKNOWN = 0;
const EMPTY = 1;

/** Funds rank below zero, the larger the lower. */
function rankOf(balance: Balance | null, unit: Balance["unit"] | undefined): number {
  if (balance === null || Number.isNaN(balance.amount)) return UNKNOWN;
  if (balance.amount <= 0) return EMPTY;
  return balance.unit === unit ? -balance.amount : UNKNOWN;
}
