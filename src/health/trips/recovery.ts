import { type Moment, openTrip, type Trip } from "../breaker.ts";
import { isClean, type Observation } from "./observation.ts";
import type { TripPolicy } from "./policy.ts";

/** Causes of trips by signature begin so. */
const PREFIX = "signature:";

export const causeOf = (signature: string): string => PREFIX + signature;

/** The signature a trip is for; null if it is for something else. */
export function signatureOf({ cause }: Pick<Trip, "cause">): string | null {
  return cause.startsWith(PREFIX) ? cause.slice(PREFIX.length) : null;
}

/** An answer of a target whose trip is half open. */
export interface Probe {
  /** `other` is bad in another way: no fault of this signature, but not clean either. */
  readonly result: "clean" | "bad" | "other";
  /** It could not have shown the fault in time, or at all. */
  readonly is_weak: boolean;
  /** Epoch ms. */
  readonly started_at: number;
}

/** What an observation says of whether the fault is over; null if nothing. */
export function probeOf(
  { verdict, ascii, stream, started_at }: Observation,
  signature: string,
  { traits }: Pick<TripPolicy, "traits">,
): Probe | null {
  const { needs_whole, is_encoding } = traits(signature);
  const is_weak = (needs_whole && stream) || (is_encoding && ascii.answer);
  if (verdict.trips && verdict.attributable) {
    return { result: verdict.signature === signature ? "bad" : "other", is_weak, started_at };
  }
  const says = isClean(verdict) && (ascii.prompt || !is_encoding);
  return says ? { result: "clean", is_weak, started_at } : null;
}

/** A half-open trip that is short of good probes takes weak ones after so many times its bench. */
const PATIENCE = 2;

/** From when on weak probes count, epoch ms. */
function weakProbesFrom({ opened_at, until_at, probed_at }: Trip): number {
  return Math.max(until_at, probed_at ?? 0) + PATIENCE * (until_at - opened_at);
}

/**
 * Whether a half-open trip lets a request of this kind try. A stream shows some signatures only when
 * the client has read the answer, so that it would be at the client's expense.
 */
export function letsTry(
  trip: Trip,
  { stream, now }: { readonly stream: boolean; readonly now: number },
  { traits }: Pick<TripPolicy, "traits">,
): boolean {
  const signature = signatureOf(trip);
  if (signature === null || !stream || !traits(signature).needs_whole) return true;
  return now >= weakProbesFrom(trip);
}

/** Whether the canary is left to try a half-open trip that it watches: until that has led nowhere for long. */
export function isLeftToCanary(trip: Trip, now: number): boolean {
  return now < weakProbesFrom(trip);
}

/**
 * The trip after a probe; null if that closed it. Calls that began before it was half open say nothing
 * new. A bad one opens it again for twice as long.
 */
export function afterProbe(
  trip: Trip,
  { result, is_weak, started_at }: Probe,
  { policy, ...moment }: Moment & { readonly policy: TripPolicy },
): Trip | null {
  if (started_at < trip.until_at) return trip;
  if (result === "bad") return reopened(trip, { policy, ...moment });
  if (result === "other") return { ...trip, clean: 0 };
  if (is_weak && started_at < weakProbesFrom(trip)) return trip;
  const clean = (trip.clean ?? 0) + 1;
  if (clean >= policy.clean_to_close) return null;
  return { ...trip, clean, probed_at: moment.now };
}

function reopened(trip: Trip, { policy, ...moment }: Moment & { readonly policy: TripPolicy }) {
  const { scope, subject, cause } = trip;
  const detail = `its trial failed after ${trip.clean ?? 0} clean answers`;
  const again = { scope, subject, cause, detail, reopened: trip.reopened + 1 };
  return openTrip(again, policy.timing, moment);
}
