import type { Config } from "../config/schema.ts";
import type { Clock } from "../lib/clock.ts";
import { parseDuration } from "../lib/durations.ts";
import { parseSize } from "../lib/sizes.ts";
import type { PruneResult, Store } from "../store/store.ts";

/** How often old decisions are looked for. */
const INTERVAL_MS = 10 * 60_000;

interface RetentionDependencies {
  readonly store: Pick<Store, "prune">;
  readonly config: () => Config;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

/** Deletes what `[store]` no longer wants kept, on a timer and on demand. */
export function createRetention({ store, config, clock, onFailure }: RetentionDependencies) {
  const run = (): Promise<PruneResult> => {
    const { retention, max_size } = config().store;
    return store.prune({
      before: clock.now() - (parseDuration(retention) ?? 0),
      max_size_bytes: parseSize(max_size) ?? Number.MAX_SAFE_INTEGER,
    });
  };
  let timer: Timer | undefined;
  return {
    run,
    start() {
      timer = setInterval(() => void run().catch(onFailure), INTERVAL_MS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}
