import type { Config } from "../config/schema.ts";
import type { Trip } from "../health/breaker.ts";
import type { Clock } from "../lib/clock.ts";
import { memoize } from "../lib/memoize.ts";
import type { Random } from "../lib/random.ts";
import { createHealth, type Health } from "../relay/health-state.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import type { ExclusionList } from "./exclusion-list.ts";
import { logNotice } from "./health-notices.ts";
import { healthPolicy } from "./health-policy.ts";
import { createTripKeeper } from "./trip-keeper.ts";

export interface LiveHealthDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly config: () => Config;
  readonly store: Pick<Store, "saveTrip" | "dropTrip">;
  readonly log: Pick<Log, "info" | "warn">;
  readonly exclusions: Pick<ExclusionList, "index">;
  /** Breakers that were open when the last process ended. */
  readonly trips: readonly Trip[];
  /** A vendor says that the account behind an instance is out of money. */
  readonly onEmptyAccount: (instance: string) => void;
}

/** Live health as the config sets it, with what has to outlive the process. */
export function createLiveHealth(dependencies: LiveHealthDependencies): Health {
  const { clock, random, config, store, log, exclusions, trips, onEmptyAccount } = dependencies;
  const policy = memoize(healthPolicy);
  return createHealth({
    clock,
    random,
    policy: () => policy(config()),
    exclusions: exclusions.index,
    trips: createTripKeeper({ store, saved: trips, log }),
    notify: (notice) => logNotice(log, notice),
    onEmptyAccount,
  });
}
