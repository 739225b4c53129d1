import type { Trip } from "../health/breaker.ts";
import type { Clock } from "../lib/clock.ts";
import type { MangledCount, Store, StoredTally } from "../store/store.ts";

/** What the last process left for this one. */
export interface Remembered {
  /** Breakers that were open. */
  readonly trips: readonly Trip[];
  /** What was usual for each target. */
  readonly tallies: readonly StoredTally[];
  /** For metrics that look back a day. */
  readonly mangled: readonly MangledCount[];
}

const DAY_MS = 24 * 3_600_000;

export async function remember(
  store: Pick<Store, "listTrips" | "listTallies" | "countMangled">,
  clock: Pick<Clock, "now">,
): Promise<Remembered> {
  const [trips, tallies, mangled] = await Promise.all([
    store.listTrips(),
    store.listTallies(),
    store.countMangled(clock.now() - DAY_MS),
  ]);
  return { trips, tallies, mangled };
}
