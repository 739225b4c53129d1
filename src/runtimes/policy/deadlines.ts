import type { Lease } from "../lease.ts";
import { CLOCK_TOLERANCE_MS, RECHECK_MS, type SteadyTime } from "./steady-time.ts";

/** Both are in the first write of a lease, before anything costs money. */
export interface FirstDeadlines {
  readonly idle_minutes: number;
  readonly idle_deadline: number;
  readonly hard_deadline: number;
  readonly hard_remaining_ms_at: Lease["hard_remaining_ms_at"];
  readonly last_activity_at: number;
}

interface Limits {
  readonly max_idle_ms: number;
  readonly max_life_ms: number;
}

/** The deadlines of a runtime that is created or adopted now. */
export function firstDeadlines(
  { max_idle_ms, max_life_ms }: Limits,
  { now, reading: { boottime } }: SteadyTime,
  boot_id: string | null,
): FirstDeadlines {
  const at = Math.round(now);
  return {
    idle_minutes: max_idle_ms / MINUTE_MS,
    idle_deadline: at + max_idle_ms,
    hard_deadline: at + max_life_ms,
    hard_remaining_ms_at:
      boottime === null || boot_id === null
        ? null
        : { boot_id, boottime_ms: boottime, remaining_ms: max_life_ms },
    last_activity_at: at,
  };
}

/** What a request that starts or ends does to the idle clock. */
export function touched(
  { idle_minutes, last_activity_at }: Lease,
  now: number,
): Pick<Lease, "last_activity_at" | "idle_deadline"> {
  const at = Math.max(last_activity_at, Math.round(now));
  return { last_activity_at: at, idle_deadline: at + Math.round(idle_minutes * MINUTE_MS) };
}

export type DeadlineKind = "max_cu" | "hard" | "idle";

export interface DeadlineState {
  /** The first that has passed, in the order in which they are asked. */
  readonly due: DeadlineKind | null;
  /** Milliseconds that are left of each; null where there is no such limit. */
  readonly left: Readonly<Record<DeadlineKind, number | null>>;
}

export interface Watched {
  readonly lease: Lease;
  /** Requests that have begun and not ended: while there is one, nothing is idle. */
  readonly in_flight: number;
  /** This boot of the machine; null where the system has none. */
  readonly boot_id: string | null;
  /** How long this process has watched, in ms. */
  readonly watched_ms: number;
}

/** What is due at `time`, and how long the rest has. */
export function deadlineState(watched: Watched, time: SteadyTime): DeadlineState {
  const { lease, in_flight } = watched;
  const { age_now, use_now } = instants(watched, time);
  const left = {
    max_cu: unitsLeft(lease, age_now),
    hard: lease.hard_deadline - age_now,
    // Nobody can use it before it is ready; until then the hard deadline is the limit.
    idle: in_flight > 0 || lease.phase === "starting" ? null : lease.idle_deadline - use_now,
  };
  const due = (["max_cu", "hard", "idle"] as const).find((kind) => (left[kind] ?? 1) <= 0);
  return { due: due ?? null, left };
}

/** Until the estimate reaches the limit; a runtime of unknown rate has none that could be kept. */
function unitsLeft({ max_cu, rate, created_at }: Lease, now: number): number | null {
  if (max_cu === null || rate.cu_h === null || rate.cu_h === 0) return null;
  return created_at + (max_cu / rate.cu_h) * HOUR_MS - now;
}

/** Compute units used so far, by the clock; null where the rate is unknown. */
export function unitsUsed({ rate, created_at }: Lease, now: number): number | null {
  if (rate.cu_h === null) return null;
  return (Math.max(now - created_at, 0) / HOUR_MS) * rate.cu_h;
}

/**
 * What time it is for how old the runtime is and for when it was last used. For its age the later of two
 * clocks counts: the wall's, and the machine's since its boot, which no one sets. Where the wall is far
 * ahead of the other, a process that has just begun looks for two minutes whether it is put right.
 */
function instants(
  { lease, boot_id, watched_ms }: Watched,
  { now, reading: { boottime } }: SteadyTime,
): { readonly age_now: number; readonly use_now: number } {
  const mark = lease.hard_remaining_ms_at;
  if (mark === null || boottime === null || mark.boot_id !== boot_id) {
    return { age_now: now, use_now: now };
  }
  const machine = lease.hard_deadline - (mark.boottime_ms + mark.remaining_ms - boottime);
  const doubted = now - machine > CLOCK_TOLERANCE_MS && watched_ms < RECHECK_MS;
  if (doubted) return { age_now: machine, use_now: machine };
  // Whoever used it since the wall was set back has left the wall's time.
  return { age_now: Math.max(now, machine), use_now: now };
}

/** Warned of once, this long before. */
export const WARN_MS = 10 * 60_000;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
