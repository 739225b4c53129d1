/** Counts by hour since the epoch, oldest first: the newest hour and the 24 before it, no more. */
export type Hours = readonly (readonly [hour: number, count: number])[];

const HOUR_MS = 3_600_000;
const KEPT = 24;

/** Number of the hour since the epoch. */
function hourOf(now: number): number {
  return Math.floor(now / HOUR_MS);
}

/** One more in the hour of `now`. A clock that was set back keeps counting in the newest hour. */
export function countOne(hours: Hours, now: number): Hours {
  const hour = hourOf(now);
  const last = hours.at(-1);
  if (last !== undefined && last[0] >= hour) {
    return hours.with(hours.length - 1, [last[0], last[1] + 1]);
  }
  return [...hours.filter(([at]) => at >= hour - KEPT), [hour, 1]];
}

/** How many in the 24 hours before the current one, which is left out: it may be the incident itself. */
export function countBefore(hours: Hours, now: number): number {
  const hour = hourOf(now);
  return hours.reduce((sum, [at, n]) => (at < hour && at >= hour - KEPT ? sum + n : sum), 0);
}

/** How many in the current hour and the 24 before it. */
export function countRecent(hours: Hours, now: number): number {
  const since = hourOf(now) - KEPT;
  return hours.reduce((sum, [at, n]) => (at >= since ? sum + n : sum), 0);
}
