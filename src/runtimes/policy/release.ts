import type { Lease } from "../lease.ts";

/** Between attempts to release; from then on at every tick, for ever. */
const RETRY_MS = [5000, 15_000, 60_000] as const;

/** Until the next attempt after `attempts` that brought no proof. */
export function releaseDelay(attempts: number, tick_ms: number): number {
  return attempts < 1 ? 0 : (RETRY_MS[attempts - 1] ?? tick_ms);
}

/** Whether a release that is under way is to be tried again. A clock that was set back is no reason to wait. */
export function isReleaseDue(
  { release: { attempts, last_at } }: Pick<Lease, "release">,
  now: number,
  tick_ms: number,
): boolean {
  if (last_at === null || now < last_at) return true;
  return now - last_at >= releaseDelay(attempts, tick_ms);
}
