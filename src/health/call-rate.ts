/** When the calls of a target are too bad to go on. */
export interface FailureRatePolicy {
  /** Failures in a row. */
  readonly consecutive: number;
  /** Share of failures, 0 to 1, of at least `min_calls` within the window. */
  readonly ratio: number;
  readonly min_calls: number;
  readonly window_ms: number;
}

/** How the latest calls of a target went, in slices of time so that its size does not grow with traffic. */
export interface CallRate {
  /** Failures since the last success; half ones count half. */
  readonly streak: number;
  /** Oldest first. */
  readonly slices: readonly Slice[];
}

interface Slice {
  /** Number of the slice since the epoch. */
  readonly at: number;
  readonly calls: number;
  readonly failures: number;
}

export const NO_CALLS: CallRate = { streak: 0, slices: [] };

/** A window is this many slices, so it reaches back between 11 and 12 of them. */
const SLICES = 12;

interface Call {
  /** 0 for a success, 1 for a failure, or between. */
  readonly weight: number;
  /** Epoch ms. */
  readonly now: number;
  readonly policy: FailureRatePolicy;
}

export function noteCall({ streak, slices }: CallRate, { weight, now, policy }: Call): CallRate {
  const at = sliceAt(now, policy);
  const last = slices.at(-1);
  const after = weight === 0 ? 0 : streak + weight;
  // A clock that was set back keeps counting in the newest slice.
  if (last !== undefined && last.at >= at) {
    const grown = { at: last.at, calls: last.calls + 1, failures: last.failures + weight };
    return { streak: after, slices: slices.with(slices.length - 1, grown) };
  }
  const before = slices.filter((slice) => slice.at > at - SLICES);
  return { streak: after, slices: [...before, { at, calls: 1, failures: weight }] };
}

/** Why the calls so far are too bad, in words; null while they are not. */
export function rateAlarm(
  { streak, slices }: CallRate,
  policy: FailureRatePolicy,
  now: number,
): string | null {
  if (streak >= policy.consecutive) return `${policy.consecutive} failures in a row`;
  const since = sliceAt(now, policy) - SLICES;
  const recent = slices.filter(({ at }) => at > since);
  const calls = recent.reduce((sum, slice) => sum + slice.calls, 0);
  const failures = recent.reduce((sum, slice) => sum + slice.failures, 0);
  if (calls < policy.min_calls || failures < policy.ratio * calls) return null;
  const seconds = Math.round(policy.window_ms / 1000);
  return `${failures} of ${calls} calls failed within ${seconds} s`;
}

function sliceAt(now: number, { window_ms }: FailureRatePolicy): number {
  return Math.floor(now / (window_ms / SLICES));
}
