import { type Target, targetKey } from "../../address/target.ts";
import type { Trip } from "../breaker.ts";
import { subjectKey } from "../scope.ts";
import type { TripPolicy } from "./policy.ts";
import { signatureOf } from "./recovery.ts";

/** A trip that let go longer ago says nothing of what happens now. */
const WINDOW_MS = 60 * 60_000;

interface Surroundings {
  readonly target: Pick<Target, "instance" | "model">;
  /** All open trips. */
  readonly open: readonly Trip[];
  readonly policy: Pick<TripPolicy, "traits">;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * A new trip of a target, or of its instance where another of its models tripped for the same and the
 * signature is one that two models do not share by chance.
 */
export function widened(trip: Trip, { target, open, policy, now }: Surroundings): Trip {
  const signature = signatureOf(trip);
  if (trip.scope !== "target" || signature === null) return trip;
  if (!policy.traits(signature).widens) return trip;
  const own = subjectKey(targetKey(target));
  const siblings = `${subjectKey(target.instance)}:`;
  const isShared = open.some((other) => {
    const key = subjectKey(other.subject);
    const isRecent = now - other.until_at <= WINDOW_MS;
    return isRecent && other.cause === trip.cause && key !== own && key.startsWith(siblings);
  });
  return isShared ? { ...trip, scope: "provider", subject: target.instance } : trip;
}
