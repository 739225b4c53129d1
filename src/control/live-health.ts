import type { Target } from "../address/target.ts";
import type { Config } from "../config/schema.ts";
import type { Trip } from "../health/breaker.ts";
import type { HealthNotice } from "../health/notices.ts";
import type { SuspensionIndex } from "../health/suspensions.ts";
import type { Clock } from "../lib/clock.ts";
import { memoize } from "../lib/memoize.ts";
import type { Random } from "../lib/random.ts";
import { decodeStream } from "../relay/decode-stream.ts";
import { createHealth, type Health } from "../relay/health-state.ts";
import type { Store, StoredTally } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { testDecoding } from "../verify/self-test.ts";
import type { ExclusionList } from "./exclusion-list.ts";
import { healthPolicy } from "./health-policy.ts";
import { createTallyKeeper } from "./tally-keeper.ts";
import { createTripKeeper } from "./trip-keeper.ts";
import { tripPolicy } from "./trip-policy.ts";

export interface LiveHealthDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly config: () => Config;
  readonly store: Pick<Store, "saveTrip" | "dropTrip" | "saveTallies" | "state" | "onStateChange">;
  readonly log: Pick<Log, "info" | "warn" | "error">;
  readonly exclusions: Pick<ExclusionList, "index">;
  /** Targets that the canary suspended. */
  readonly suspensions: () => SuspensionIndex;
  /** The canary finds out when a signature is over at a target, so that clients need not. */
  readonly isAsked?: (target: Target, signature: string) => boolean;
  /** Breakers that were open when the last process ended. */
  readonly trips: readonly Trip[];
  /** Baselines as the last process left them. */
  readonly tallies: readonly StoredTally[];
  /** Host name of an instance's base URL. */
  readonly hostOf: (instance: string) => string;
  readonly notify: (notice: HealthNotice) => void;
  /** A vendor says that the account behind an instance is out of money. */
  readonly onEmptyAccount: (instance: string) => void;
}

/** Live health as the config sets it, with what has to outlive the process. */
export function createLiveHealth(dependencies: LiveHealthDependencies): Health {
  const { config, store, log, clock, exclusions, trips, tallies } = dependencies;
  const policy = memoize(healthPolicy);
  const verifierPolicy = memoize(tripPolicy);
  const health: Health = createHealth({
    ...dependencies,
    policy: () => policy(config()),
    tripPolicy: () => verifierPolicy(config()),
    exclusions: exclusions.index,
    trips: createTripKeeper({
      store,
      saved: trips,
      log,
      onDropped: (gone) => health.signatures.dropped(gone),
    }),
    tallies: createTallyKeeper({ clock, store, saved: tallies, log }),
    mutes: () => store.state().mutes,
    isDecodingSound: () => testDecoding(decodeStream).ok,
  });
  store.onStateChange(() => health.signatures.applyMutes());
  return health;
}
