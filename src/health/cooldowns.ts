import type { Failure, FailureKind } from "./failure.ts";

/** A timed bench of a target or an instance, from one failure. The owner keeps one per scope key. */
export interface Bench {
  readonly kind: FailureKind;
  readonly scope: "target" | "instance";
  readonly vendor_code: string | null;
  /** When the failure was seen, epoch ms. */
  readonly since_at: number;
  /** Epoch ms; null lasts until it is cleared. */
  readonly until_at: number | null;
  /** When an untimed bench lets one request try; null on timed ones. */
  readonly trial_at: number | null;
  /** The vendor named the wait, so nothing may override it. */
  readonly vendor_named: boolean;
  /** How often in a row, from 0: the rung of the rate-limit ladder or of the trials. */
  readonly rung: number;
}

const MINUTE = 60_000;
/** Shortest benches for rate limits in a row; the first takes the kind's own cooldown. */
const LADDER_MS = [0, 30_000, 60_000, 300_000] as const;
const TOP_RUNG_MS = 300_000;
/** The ladder goes on from where it was if the last bench ended no longer ago. */
const LADDER_MEMORY_MS = 10 * MINUTE;
const FIRST_TRIAL_MS = 10 * MINUTE;
const LONGEST_TRIAL_MS = 24 * 60 * MINUTE;

/**
 * The bench of `failure`'s scope after it, given the one before. Failures that come in while a bench
 * lasts are echoes of the same trouble: they may lengthen it but climb no ladder.
 */
export function benchAfter(previous: Bench | null, failure: Failure, now: number): Bench | null {
  const { affects_health: scope, cooldown_ms } = failure;
  if (scope === "none" || cooldown_ms === 0) return previous;
  const rung = rungAfter(previous, failure.kind, now);
  const wait_ms = waitOf(failure, rung);
  const next: Bench = {
    kind: failure.kind,
    scope,
    vendor_code: failure.vendor_code,
    since_at: now,
    until_at: wait_ms === null ? null : now + wait_ms,
    trial_at: wait_ms === null ? now + trialDelay(rung) : null,
    vendor_named: failure.retry_after_ms !== null,
    rung,
  };
  return previous !== null && outlasts(previous, next) ? previous : next;
}

/** A vendor's word replaces a wait we guessed, even a longer one; otherwise the later end stands. */
function outlasts(previous: Bench, next: Bench): boolean {
  if (next.vendor_named && !isFirm(previous)) return false;
  return endOf(previous) > endOf(next);
}

/** Whether a bench holds even if it leaves no candidate: the vendor's word, a key, an empty wallet. */
export function isFirm({ vendor_named, until_at, kind }: Bench): boolean {
  return vendor_named || until_at === null || kind === "insufficient_credit";
}

/** Null lasts until cleared. */
function waitOf({ kind, cooldown_ms, retry_after_ms }: Failure, rung: number): number | null {
  const isOurs = kind === "rate_limit" && retry_after_ms === null && cooldown_ms !== null;
  return isOurs ? Math.max(cooldown_ms, LADDER_MS[rung] ?? TOP_RUNG_MS) : cooldown_ms;
}

function rungAfter(previous: Bench | null, kind: FailureKind, now: number): number {
  if (previous === null || previous.kind !== kind) return 0;
  if (isBenched(previous, now)) return previous.rung;
  if (previous.until_at !== null && now - previous.until_at > LADDER_MEMORY_MS) return 0;
  return previous.rung + 1;
}

function trialDelay(rung: number): number {
  return Math.min(FIRST_TRIAL_MS * 2 ** rung, LONGEST_TRIAL_MS);
}

function endOf({ until_at }: Bench): number {
  return until_at ?? Number.POSITIVE_INFINITY;
}

/** Whether nothing may be sent now: an untimed bench lets one request through when its trial is due. */
export function isBenched(bench: Bench | null, now: number): boolean {
  if (bench === null) return false;
  return now < (bench.trial_at ?? endOf(bench));
}

/** The bench once its trial is on the way: the next one is due only after twice the wait. */
export function afterTrialStart(bench: Bench, now: number): Bench {
  if (bench.trial_at === null || isBenched(bench, now)) return bench;
  const rung = bench.rung + 1;
  return { ...bench, rung, trial_at: now + trialDelay(rung) };
}

/**
 * The bench after a success that began at `started_at`. One that began before the failure says
 * nothing of the time after it, such as a long stream that ends well beside a new rate limit. What
 * remains is the ladder's memory, which fades by itself.
 */
export function benchAfterSuccess(
  bench: Bench | null,
  { started_at, now }: { readonly started_at: number; readonly now: number },
): Bench | null {
  if (bench === null || started_at < bench.since_at) return bench;
  if (bench.kind !== "rate_limit") return null;
  return { ...bench, until_at: Math.min(endOf(bench), now) };
}
