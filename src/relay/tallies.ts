import { subjectKey } from "../health/scope.ts";
import { countRecent } from "../health/trips/hours.ts";
import {
  fromRecord,
  newTally,
  type Tally,
  type TallyRecord,
  toRecord,
} from "../health/trips/tally.ts";
import type { TripScope } from "../verify/verdict.ts";

/** A tally as it outlives the process. */
export interface SavedTally {
  readonly scope: TripScope;
  /** Instance name or target key. */
  readonly subject: string;
  readonly record: TallyRecord;
}

/** Where tallies outlive the process. `save` neither waits nor throws. */
export interface TallyKeeper {
  readonly saved: readonly SavedTally[];
  save(tallies: readonly SavedTally[]): void;
}

interface Kept {
  readonly scope: TripScope;
  readonly subject: string;
  readonly tally: Tally;
}

/** The tallies of everything that answers, in memory. */
export interface Tallies {
  of(subject: string, now: number): Tally;
  list(): readonly Kept[];
  put(kept: Kept): void;
  /** Writes one down at once, or all that changed since they were last written down. */
  save(subject?: string): void;
}

/** Clients may name any model of an instance; the least recently used ones are forgotten. */
const MAX_TALLIES = 4096;
/** Fewer clean answers than this are not worth being kept: a baseline of them says nothing. */
const WORTH_KEEPING = 50;

export function createTallies(keeper: TallyKeeper, now: number): Tallies {
  const tallies = new Map<string, Kept>();
  const changed = new Set<string>();
  for (const { record, ...about } of keeper.saved) {
    tallies.set(subjectKey(about.subject), { ...about, tally: fromRecord(record, now) });
  }

  return {
    of: (subject, at) => tallies.get(subjectKey(subject))?.tally ?? newTally(at),
    list: () => [...tallies.values()],
    put(kept) {
      const key = subjectKey(kept.subject);
      // The one used last comes last.
      tallies.delete(key);
      tallies.set(key, kept);
      changed.add(key);
      if (tallies.size > MAX_TALLIES) tallies.delete(tallies.keys().next().value ?? "");
    },
    save(subject) {
      const keys = subject === undefined ? [...changed] : [subjectKey(subject)];
      const worth = keys.flatMap((key) => {
        changed.delete(key);
        const kept = tallies.get(key);
        return kept !== undefined && isWorthKeeping(kept.tally) ? [savedOf(kept)] : [];
      });
      if (worth.length > 0) keeper.save(worth);
    },
  };
}

function isWorthKeeping({ clean, signatures }: Tally): boolean {
  const newest = clean.at(-1)?.[0] ?? 0;
  const all = countRecent(clean, newest * 3_600_000);
  return all >= WORTH_KEEPING || Object.keys(signatures).length > 0;
}

function savedOf({ scope, subject, tally }: Kept): SavedTally {
  return { scope, subject, record: toRecord(tally) };
}
