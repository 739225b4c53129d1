import { NO_CALLS } from "../health/call-rate.ts";
import { isBenched } from "../health/cooldowns.ts";
import { type Subject, subjectKey, subjectKeysOf } from "../health/scope.ts";
import type { HealthMaps } from "./health-maps.ts";

/** How many benches an action lifted. */
export interface Cleared {
  readonly cooldowns: number;
  readonly breakers: number;
}

/**
 * Lifts every cooldown, refused credential and open breaker that is in the way of an instance's
 * targets or of one target; what benches the whole instance is in the way of each of them.
 */
export function clearHealth(maps: HealthMaps, subject: Subject, now: number): Cleared {
  return {
    cooldowns: clearTargets(maps, subject, now) + clearInstance(maps, subject, now),
    breakers: clearTrips(maps, subject),
  };
}

function clearTargets({ targets }: HealthMaps, { subject }: Subject, now: number): number {
  const key = subjectKey(subject);
  const covered = [...targets.values()].filter(({ target }) => subjectKeysOf(target).includes(key));
  const benched = covered.filter(({ bench }) => isBenched(bench, now));
  for (const state of covered) {
    state.bench = null;
    state.calls = NO_CALLS;
  }
  return benched.length;
}

function clearInstance({ instances }: HealthMaps, { instance }: Subject, now: number): number {
  const names = [...instances.keys()].filter((name) => subjectKey(name) === subjectKey(instance));
  const benched = names.filter((name) => isBenched(instances.get(name) ?? null, now));
  for (const name of names) instances.delete(name);
  return benched.length;
}

function clearTrips({ trips }: HealthMaps, { scope, subject, instance }: Subject): number {
  const keys = new Set([subjectKey(subject), subjectKey(instance)]);
  const covered = trips.list().filter((trip) => {
    const key = subjectKey(trip.subject);
    return keys.has(key) || (scope === "provider" && key.startsWith(`${subjectKey(instance)}:`));
  });
  for (const trip of covered) trips.put(trip, null);
  return covered.length;
}
