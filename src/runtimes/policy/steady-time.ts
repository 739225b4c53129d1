/**
 * Time that neither a clock that is set nor a machine that slept can stretch. Deadlines are instants
 * of the wall clock; this says what that clock should read.
 */

/** What the clocks say at one moment. */
export interface ClockReading {
  /** Epoch ms; anyone can set it. */
  readonly now: number;
  /** Milliseconds of this process that never jump; whether sleep counts depends on the system. */
  readonly elapsed: number;
  /** Milliseconds since the machine's boot, sleep included; null where the system does not tell. */
  readonly boottime: number | null;
}

export interface SteadyTime {
  /** What deadlines are compared with, epoch ms. */
  readonly now: number;
  readonly reading: ClockReading;
  /** More passed since the reading before than ticks take: the machine slept, or was stopped. */
  readonly woke: boolean;
  /** How long the wall clock has been ahead of all others, in ms; 0 where it is not. */
  readonly disputed_ms: number;
}

/** Differences up to here are drift and slewing. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** How long a wall clock that ran ahead is doubted; then the earlier deadline wins. */
export const RECHECK_MS = 120_000;

/** Three ticks of 15 s. */
const WOKE_MS = 45_000;

export function startTime(reading: ClockReading): SteadyTime {
  return { now: reading.now, reading, woke: false, disputed_ms: 0 };
}

/** The time after a further reading. */
export function advanceTime(before: SteadyTime, reading: ClockReading): SteadyTime {
  const passed = passedSince(before.reading, reading);
  const steady = before.now + passed.ms;
  const ahead = reading.now - steady;
  const woke = passed.ms > WOKE_MS || (!passed.counts_sleep && ahead > WOKE_MS);
  // Set back, or a little off: the others go on.
  if (ahead <= CLOCK_TOLERANCE_MS) {
    return { now: Math.max(steady, reading.now), reading, woke, disputed_ms: 0 };
  }
  // Nothing can tell a clock that was set from a machine that slept: fail toward releasing.
  if (!passed.counts_sleep) return { now: reading.now, reading, woke, disputed_ms: 0 };
  const disputed_ms = before.disputed_ms + passed.ms;
  if (disputed_ms > RECHECK_MS) return { now: reading.now, reading, woke, disputed_ms: 0 };
  return { now: steady, reading, woke, disputed_ms };
}

function passedSince(
  before: ClockReading,
  after: ClockReading,
): { readonly ms: number; readonly counts_sleep: boolean } {
  if (before.boottime !== null && after.boottime !== null) {
    return { ms: Math.max(after.boottime - before.boottime, 0), counts_sleep: true };
  }
  return { ms: Math.max(after.elapsed - before.elapsed, 0), counts_sleep: false };
}
