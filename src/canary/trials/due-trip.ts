import type { Target } from "../../address/target.ts";
import { type Trip, tripState } from "../../health/breaker.ts";
import { subjectKey, subjectKeysOf } from "../../health/scope.ts";
import { signatureOf } from "../../health/trips/recovery.ts";
import { canShow } from "./topic.ts";

type Place = Pick<Target, "instance" | "model">;

export const nameOfTrip = ({ scope, subject, cause }: Trip): string =>
  `${scope} ${subject} ${cause}`;

/** Whether a trip benches a target, itself or with its whole instance. */
export function isOn({ subject }: Pick<Trip, "subject">, target: Place): boolean {
  return subjectKeysOf(target).includes(subjectKey(subject));
}

interface Due {
  readonly watched: readonly Place[];
  /** Epoch ms, by name: those that led nowhere are left alone for a while. */
  readonly not_before: ReadonlyMap<string, number>;
  readonly now: number;
}

/** The half-open trip by signature that the canary is to ask about next. */
export function dueTrip(
  trips: readonly Trip[],
  { watched, not_before, now }: Due,
): Trip | undefined {
  return trips.find((trip) => {
    const signature = signatureOf(trip);
    return (
      signature !== null &&
      canShow(signature) &&
      tripState(trip, now) === "half_open" &&
      (not_before.get(nameOfTrip(trip)) ?? 0) <= now &&
      watched.some((target) => isOn(trip, target))
    );
  });
}
