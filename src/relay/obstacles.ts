import type { Target } from "../address/target.ts";
import { tripState } from "../health/breaker.ts";
import { eligibility, type Obstacle } from "../health/eligibility.ts";
import { type ExclusionIndex, exclusionsOf } from "../health/exclusions.ts";
import type { Benched } from "../health/final-status.ts";
import { type SuspensionIndex, suspensionsOf } from "../health/suspensions.ts";
import type { TripPolicy } from "../health/trips/policy.ts";
import { isLeftToCanary, letsTry, signatureOf } from "../health/trips/recovery.ts";
import type { Clock } from "../lib/clock.ts";
import { benchesOf, type HealthMaps, mayBeBenched, trialKey } from "./health-maps.ts";

interface ObstacleDependencies {
  readonly clock: Clock;
  /** What release, config and operators shut out. */
  readonly exclusions: () => ExclusionIndex;
  /** What the canary suspended. */
  readonly suspensions: () => SuspensionIndex;
  readonly tripPolicy: () => TripPolicy;
  /** The canary finds out when a signature is over at a target. */
  readonly isAsked?: (target: Target, signature: string) => boolean;
}

const NOTHING: readonly never[] = [];

/** What stands in a target's way, layers 1 to 6. */
export type ObstaclesOf = (target: Target, stream?: boolean) => readonly Obstacle[];

/**
 * Returns a look at the obstacles of this moment, which may be asked about many targets. Most have
 * nothing in their way, which is quick.
 */
export function obstaclesFrom(
  maps: HealthMaps,
  { clock, exclusions, suspensions, tripPolicy, isAsked = asksNobody }: ObstacleDependencies,
): () => ObstaclesOf {
  return () =>
    obstaclesAt(maps, {
      now: clock.now(),
      index: exclusions(),
      suspended: suspensions(),
      tripPolicy,
      isAsked,
    });
}

const asksNobody = () => false;

interface Look extends Required<Pick<ObstacleDependencies, "tripPolicy" | "isAsked">> {
  readonly now: number;
  readonly index: ExclusionIndex;
  readonly suspended: SuspensionIndex;
}

function obstaclesAt(maps: HealthMaps, look: Look): ObstaclesOf {
  const { now, index, suspended, tripPolicy, isAsked } = look;
  return (target, stream = false) => {
    const trips = maps.trips.of(target);
    const isShut = index.size + suspended.size > 0;
    if (!isShut && trips.length === 0 && !mayBeBenched(maps, target)) return NOTHING;
    const shut = exclusionsOf(target, index, now);
    const suspensions = suspensionsOf(target, suspended, now);
    const benches = benchesOf(maps, target, now);
    if (shut.length + suspensions.length + trips.length + benches.length === 0) return NOTHING;
    const is_tried = (what: Parameters<typeof trialKey>[0]) =>
      !maps.trials.isIdle() && maps.trials.isUnderWay(trialKey(what, target));
    return eligibility({
      exclusions: shut,
      suspensions,
      trips: trips.map((trip) => {
        const is_for_whole = !letsTry(trip, { stream, now }, tripPolicy());
        const signature = signatureOf(trip);
        const is_asked =
          signature !== null && isAsked(target, signature) && isLeftToCanary(trip, now);
        return Object.assign({ is_tried: is_tried(trip), is_for_whole, is_asked }, trip);
      }),
      benches: benches.map((bench) => Object.assign({ is_tried: is_tried(bench) }, bench)),
      now,
    });
  };
}

/** Told to whoever waits for a trial that is under way. */
const TRIAL_WAIT_MS = 1000;

/**
 * What keeps a target from serving for longest, as the final status weighs it; empty if nothing does.
 * Until that is over the end of anything shorter lets nobody in.
 */
export function benchedBy(maps: HealthMaps, target: Target, now: number): Benched[] {
  const trips = maps.trips.of(target).flatMap((trip): Benched[] => {
    if (tripState(trip, now) === "open") return [{ kind: null, until_at: trip.until_at }];
    const isTried = maps.trials.isUnderWay(trialKey(trip, target));
    return isTried ? [{ kind: null, until_at: now + TRIAL_WAIT_MS }] : [];
  });
  const all: readonly Benched[] = [...benchesOf(maps, target, now), ...trips];
  const last = Math.max(...all.map(endOf));
  return all.filter((bench) => endOf(bench) === last).slice(0, 1);
}

const endOf = ({ until_at }: Benched): number => until_at ?? Number.POSITIVE_INFINITY;
