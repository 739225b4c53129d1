import type { Trip } from "../health/breaker.ts";
import { subjectKey } from "../health/scope.ts";
import type { TripKeeper } from "../relay/live-trips.ts";
import type { Store, TripId } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";

interface TripKeeperDependencies {
  readonly store: Pick<Store, "saveTrip" | "dropTrip" | "onStateChange">;
  /** What the store had when the process started. */
  readonly saved: readonly Trip[];
  readonly log: Pick<Log, "warn">;
  /** Another process took these away. */
  readonly onDropped: (trips: readonly TripId[]) => void;
}

/**
 * Keeps open breakers in the store. Cooldowns are not kept: they are over within minutes, and one
 * failed call tells of them anew.
 */
export function createTripKeeper(dependencies: TripKeeperDependencies): TripKeeper {
  const { store, saved, log, onDropped } = dependencies;
  /** Those of which it is certain that the store has them: if one is missing there, it was taken away. */
  const written = new Map<string, TripId>(saved.map((trip) => [keyOf(trip), trip]));
  /** The latest order for each, since answers to earlier ones may still be on their way. */
  const latest = new Map<string, Trip>();
  const watch = (order: Promise<void>) =>
    order.catch((error: unknown) =>
      log.warn({ error: String(error) }, "an open breaker could not be kept for the next start"),
    );

  store.onStateChange(({ trips }) => {
    const there = new Set(trips.map(keyOf));
    const gone = [...written].filter(([key]) => !there.has(key));
    for (const [key] of gone) written.delete(key);
    if (gone.length > 0) onDropped(gone.map(([, trip]) => trip));
  });

  async function write(key: string, trip: Trip): Promise<void> {
    await store.saveTrip(trip);
    if (latest.get(key) === trip) written.set(key, trip);
  }

  return {
    saved,
    save(trip) {
      const key = keyOf(trip);
      written.delete(key);
      latest.set(key, trip);
      void watch(write(key, trip));
    },
    drop(trip) {
      const key = keyOf(trip);
      written.delete(key);
      latest.delete(key);
      void watch(store.dropTrip(trip));
    },
  };
}

function keyOf({ scope, subject, cause }: TripId): string {
  return `${scope} ${subjectKey(subject)} ${cause}`;
}
