import { Value } from "@sinclair/typebox/value";

import { TallyRecord } from "../health/trips/tally.ts";
import type { Clock } from "../lib/clock.ts";
import type { SavedTally, TallyKeeper } from "../relay/tallies.ts";
import type { Store, StoredTally } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";

interface TallyKeeperDependencies {
  readonly clock: Clock;
  readonly store: Pick<Store, "saveTallies">;
  /** What the store had when the process started. */
  readonly saved: readonly StoredTally[];
  readonly log: Pick<Log, "warn">;
}

/** Keeps baselines in the store: without them a restart would forget what is usual. */
export function createTallyKeeper(dependencies: TallyKeeperDependencies): TallyKeeper {
  const { clock, store, saved, log } = dependencies;
  return {
    saved: saved.flatMap(readTally),
    save(tallies) {
      const rows = tallies.map(({ scope, subject, record }) => {
        return { scope, subject, saved_at: clock.now(), record: JSON.stringify(record) };
      });
      store
        .saveTallies(rows)
        .catch((error: unknown) =>
          log.warn({ error: String(error) }, "baselines could not be kept for the next start"),
        );
    },
  };
}

/** A row that another release wrote in another form is worth nothing. */
function readTally({ scope, subject, record }: StoredTally): SavedTally[] {
  const parsed = parse(record);
  return Value.Check(TallyRecord, parsed) ? [{ scope, subject, record: parsed }] : [];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
