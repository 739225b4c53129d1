import type { Trip } from "../health/breaker.ts";
import type { TripKeeper } from "../relay/live-trips.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";

interface TripKeeperDependencies {
  readonly store: Pick<Store, "saveTrip" | "dropTrip">;
  /** What the store had when the process started. */
  readonly saved: readonly Trip[];
  readonly log: Pick<Log, "warn">;
}

/**
 * Keeps open breakers in the store. Cooldowns are not kept: they are over within minutes, and one
 * failed call tells of them anew.
 */
export function createTripKeeper({ store, saved, log }: TripKeeperDependencies): TripKeeper {
  const watch = (written: Promise<void>) =>
    written.catch((error: unknown) =>
      log.warn({ error: String(error) }, "an open breaker could not be kept for the next start"),
    );
  return {
    saved,
    save: (trip) => void watch(store.saveTrip(trip)),
    drop: (trip) => void watch(store.dropTrip(trip)),
  };
}
