import { openTrip, type Trip } from "../health/breaker.ts";
import { readSubject, type Subject, subjectKey } from "../health/scope.ts";
import { isMuted, type Mute } from "../health/trips/mutes.ts";
import type { TripPolicy } from "../health/trips/policy.ts";
import { causeOf, signatureOf } from "../health/trips/recovery.ts";
import { withoutCharges } from "../health/trips/suspicion.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { LiveTrips } from "./live-trips.ts";
import type { Tallies } from "./tallies.ts";

/** What a person may do to trips by signature. */
export interface SignatureOrders {
  /** Opens a trip by hand; it recovers like any other. */
  trip(subject: Subject, signature: string, detail: string): Trip;
  /** Lifts the signature trips of exactly this subject, or one of them; returns how many. */
  clear(subject: Pick<Subject, "subject">, signature: string | null): number;
  /** Forgets what is held against a subject and all within it; baselines stay. */
  forget(subject: Subject): void;
  /** Lifts trips that are muted now. */
  applyMutes(): void;
  /** Closes trips that another process has taken out of the store. */
  dropped(gone: readonly Pick<Trip, "scope" | "subject" | "cause">[]): void;
}

interface OrderDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly policy: () => TripPolicy;
  readonly trips: LiveTrips;
  readonly tallies: Tallies;
  readonly mutes: () => readonly Mute[];
}

export function signatureOrders(dependencies: OrderDependencies): SignatureOrders {
  const { clock, random, policy, trips, tallies, mutes } = dependencies;

  function absolve(isMeant: (key: string) => boolean, signature: string | null): void {
    for (const kept of tallies.list()) {
      if (!isMeant(subjectKey(kept.subject))) continue;
      tallies.put({ ...kept, tally: withoutCharges(kept.tally, signature) });
      tallies.save(kept.subject);
    }
  }

  const lift = (trip: Trip) => {
    const signature = signatureOf(trip);
    if (signature !== null) absolve((key) => key === subjectKey(trip.subject), signature);
    trips.put(trip, null);
  };

  return {
    trip({ scope, subject }, signature, detail) {
      const opening = { scope, subject, cause: causeOf(signature), detail };
      const trip = openTrip(opening, policy().timing, { now: clock.now(), random });
      trips.put(null, trip);
      return trip;
    },
    clear({ subject }, signature) {
      const key = subjectKey(subject);
      const meant = trips
        .list()
        .filter((trip) => subjectKey(trip.subject) === key)
        .filter((trip) => signatureOf(trip) !== null)
        .filter((trip) => signature === null || trip.cause === causeOf(signature));
      absolve((other) => other === key, signature);
      for (const trip of meant) trips.put(trip, null);
      return meant.length;
    },
    forget({ scope, subject, instance }) {
      const whole = `${subjectKey(instance)}:`;
      const own = subjectKey(subject);
      absolve((key) => key === own || (scope === "provider" && key.startsWith(whole)), null);
    },
    dropped(gone) {
      for (const { scope, subject, cause } of gone) {
        const key = subjectKey(subject);
        const isSame = (trip: Trip) =>
          trip.scope === scope && trip.cause === cause && subjectKey(trip.subject) === key;
        trips.list().filter(isSame).forEach(lift);
      }
    },
    applyMutes() {
      const now = clock.now();
      for (const trip of trips.list()) {
        const signature = signatureOf(trip);
        const target = targetOf(trip.subject);
        if (signature === null || target === null) continue;
        if (isMuted(target, signature, { mutes: mutes(), now })) lift(trip);
      }
    },
  };
}

/** A whole instance is muted by its own name only, so its model is one that nobody has. */
function targetOf(subject: string): { readonly instance: string; readonly model: string } | null {
  const read = readSubject(subject);
  if (!read.ok) return null;
  const { instance } = read.value;
  return { instance, model: read.value.subject.slice(instance.length + 1) };
}
