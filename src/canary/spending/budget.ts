import { DAY_MS } from "../ladder/state.ts";
import type { CanaryProbeRow } from "../rows.ts";
import { type Charge, NOTHING } from "./probe-cost.ts";

/** What may be spent in a UTC day. Null sets no limit. */
export interface BudgetLimits {
  /** Over all providers together. */
  readonly usd_per_day: number;
  readonly usd_per_provider: number | null;
  readonly tokens_per_provider: number | null;
}

/** What a day has cost so far, probes under way with the most they can come to. */
export interface Spending {
  /** Days since the epoch, UTC. */
  readonly day: number;
  readonly by_instance: ReadonlyMap<string, Charge>;
}

/** Days since the epoch, UTC, at an instant. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS);

export type Reservation =
  | { readonly ok: true; readonly spending: Spending }
  /** `limit` is the one that would be passed. */
  | { readonly ok: false; readonly limit: keyof BudgetLimits };

export interface Purchase {
  readonly instance: string;
  readonly worst: Charge;
}

/** What was spent on the day of `now`, from the rows of its probes. */
export function spendingOf(
  rows: readonly Pick<CanaryProbeRow, "instance" | "at" | "charged_tokens" | "charged_usd">[],
  now: number,
): Spending {
  const day = dayOf(now);
  const by_instance = new Map<string, Charge>();
  for (const { instance, at, charged_tokens: tokens, charged_usd: usd } of rows) {
    if (dayOf(at) === day) add(by_instance, instance, { tokens, usd });
  }
  return { day, by_instance };
}

/** Sets aside the most that a probe can cost, before it is sent; a new day begins with nothing spent. */
export function reserve(
  spending: Spending,
  { instance, worst }: Purchase,
  limits: BudgetLimits,
  now: number,
): Reservation {
  const by_instance = new Map(spending.day === dayOf(now) ? spending.by_instance : []);
  add(by_instance, instance, worst);
  const own = by_instance.get(instance) ?? NOTHING;
  const limit = passedLimit(own, totalUsd(by_instance), limits);
  if (limit !== null) return { ok: false, limit };
  return { ok: true, spending: { day: dayOf(now), by_instance } };
}

function passedLimit(own: Charge, total: number, limits: BudgetLimits): keyof BudgetLimits | null {
  if (total > limits.usd_per_day) return "usd_per_day";
  if (own.usd > (limits.usd_per_provider ?? Infinity)) return "usd_per_provider";
  return own.tokens > (limits.tokens_per_provider ?? Infinity) ? "tokens_per_provider" : null;
}

/** Puts what a probe did cost in the place of what was set aside on `reserved_at`. */
export function settlePurchase(
  spending: Spending,
  { instance, worst }: Purchase,
  { actual, reserved_at }: { readonly actual: Charge; readonly reserved_at: number },
): Spending {
  // It was set aside on a day that is over.
  if (dayOf(reserved_at) !== spending.day) return spending;
  const by_instance = new Map(spending.by_instance);
  add(by_instance, instance, { tokens: actual.tokens - worst.tokens, usd: actual.usd - worst.usd });
  return { ...spending, by_instance };
}

function add(by_instance: Map<string, Charge>, instance: string, more: Charge): void {
  const { tokens, usd } = by_instance.get(instance) ?? NOTHING;
  by_instance.set(instance, {
    tokens: Math.max(0, tokens + more.tokens),
    usd: Math.max(0, usd + more.usd),
  });
}

export function totalUsd(by_instance: ReadonlyMap<string, Charge>): number {
  return [...by_instance.values()].reduce((sum, { usd }) => sum + usd, 0);
}
