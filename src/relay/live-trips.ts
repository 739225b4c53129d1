import type { Target } from "../address/target.ts";
import { FAILURE_RATE, restoreTrip, type Trip, type TripTiming } from "../health/breaker.ts";
import type { HealthNotice } from "../health/notices.ts";
import { subjectKey, subjectKeysOf } from "../health/scope.ts";

/** Where open trips outlive the process. Neither function waits or throws. */
export interface TripKeeper {
  /** The trips that were open when the last process ended. */
  readonly saved: readonly Trip[];
  save(trip: Trip): void;
  drop(trip: Trip): void;
}

/** Open breakers, by what they are about and what opened them. */
export interface LiveTrips {
  /** Those of a target and of its instance. */
  of(target: Pick<Target, "instance" | "model">): readonly Trip[];
  /** The failure-rate trip of a target. */
  failureRate(target: Pick<Target, "instance" | "model">): Trip | null;
  list(): readonly Trip[];
  /** Null closes the breaker that `before` is. */
  put(before: Trip | null, after: Trip | null): void;
}

interface LiveTripsDependencies {
  readonly keeper: TripKeeper;
  /** How long a trip of this cause may last. */
  readonly timingOf: (cause: string) => TripTiming;
  readonly notify: (notice: HealthNotice) => void;
  /** Epoch ms. */
  readonly now: number;
}

/** More would be a client that makes up names; the ones that opened first are forgotten. */
const MAX_TRIPS = 4096;
/** A trip nobody has tried for so long speaks of a target nobody uses. */
const STALE_MS = 24 * 3_600_000;

const NONE: readonly never[] = [];

export function createLiveTrips({
  keeper,
  timingOf,
  notify,
  now,
}: LiveTripsDependencies): LiveTrips {
  const trips = new Map<string, Trip>();
  const bySubject = new Map<string, Trip[]>();
  for (const trip of keeper.saved) {
    if (trip.until_at < now - STALE_MS) keeper.drop(trip);
    else set(restoreTrip(trip, timingOf(trip.cause), now));
  }

  function set(trip: Trip): void {
    remove(trip);
    trips.set(keyOf(trip), trip);
    const key = subjectKey(trip.subject);
    bySubject.set(key, [...(bySubject.get(key) ?? []), trip]);
  }

  function remove(trip: Trip): void {
    const key = subjectKey(trip.subject);
    trips.delete(keyOf(trip));
    const left = (bySubject.get(key) ?? []).filter((other) => keyOf(other) !== keyOf(trip));
    if (left.length === 0) bySubject.delete(key);
    else bySubject.set(key, left);
  }

  const of: LiveTrips["of"] = (target) =>
    trips.size === 0 ? NONE : subjectKeysOf(target).flatMap((key) => bySubject.get(key) ?? []);

  return {
    of,
    failureRate: (target) => (trips.size === 0 ? null : (of(target).find(isFailureRate) ?? null)),
    list: () => [...trips.values()],
    put(before, after) {
      if (before === after) return;
      if (after === null) {
        if (before === null) return;
        remove(before);
        keeper.drop(before);
        return notify({ kind: "breaker_closed", trip: before });
      }
      // Written down before it takes effect.
      keeper.save(after);
      set(after);
      if (before?.opened_at === after.opened_at) return;
      notify({ kind: "breaker_opened", trip: after });
      const [oldest] = trips.values();
      if (trips.size <= MAX_TRIPS || oldest === undefined) return;
      remove(oldest);
      keeper.drop(oldest);
    },
  };
}

function isFailureRate({ scope, cause }: Trip): boolean {
  return scope === "target" && cause === FAILURE_RATE;
}

function keyOf({ scope, subject, cause }: Trip): string {
  return `${scope} ${subjectKey(subject)} ${cause}`;
}
