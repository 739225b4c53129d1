import { type Static, Type } from "@sinclair/typebox";

import { type Target, targetKey } from "../address/target.ts";
import {
  type CallRate,
  type FailureRatePolicy,
  NO_CALLS,
  noteCall,
  rateAlarm,
} from "./call-rate.ts";
import type { Failure, FailureKind } from "./failure.ts";
import { ScopeType } from "./scope.ts";

/** Failures of a rate trip `failure_rate`; `signature:<name>` is a trip by what an answer looked like. */
export const FAILURE_RATE = "failure_rate";

/** The opening of a breaker: a bench that only half-open requests lift. It is kept across restarts. */
export const Trip = Type.Object(
  {
    scope: ScopeType,
    /** Instance name, target key or endpoint. */
    subject: Type.String({ minLength: 1 }),
    cause: Type.String({ minLength: 1 }),
    /** Why it opened, in our own words. */
    detail: Type.String(),
    /** When it opened, the last time, epoch ms. */
    opened_at: Type.Integer(),
    /** When it lets a request try, epoch ms. */
    until_at: Type.Integer(),
    /** How often it has opened again since, without having closed. */
    reopened: Type.Integer({ minimum: 0 }),
    /** Of a trip by signature: clean answers in a row since it is half open. */
    clean: Type.Optional(Type.Integer({ minimum: 0 })),
    /** When the last of them came, epoch ms. */
    probed_at: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
);
export type Trip = Static<typeof Trip>;

export interface TripTiming {
  readonly base_ms: number;
  /** Before chance is added. */
  readonly cap_ms: number;
}

export type BreakerPolicy = FailureRatePolicy & TripTiming;

/** Chance and time, as values of one moment. */
export interface Moment {
  /** Epoch ms. */
  readonly now: number;
  readonly random: () => number;
}

export type TripState = "open" | "half_open";

export function tripState({ until_at }: Pick<Trip, "until_at">, now: number): TripState {
  return now < until_at ? "open" : "half_open";
}

type Opening = Pick<Trip, "scope" | "subject" | "cause" | "detail">;

/** A breaker that opens, or opens again if `reopened` is above 0: the bench doubles up to the cap. */
export function openTrip(
  opening: Opening & Partial<Pick<Trip, "reopened">>,
  { base_ms, cap_ms }: TripTiming,
  { now, random }: Moment,
): Trip {
  const { reopened = 0, ...rest } = opening;
  const bench_ms = Math.min(base_ms * 2 ** reopened, cap_ms) * (0.9 + 0.2 * random());
  return { ...rest, opened_at: now, until_at: now + Math.round(bench_ms), reopened };
}

/** A trip found in the store: the clock may have jumped, and no bench is longer than the cap allows. */
export function restoreTrip(trip: Trip, { cap_ms }: TripTiming, now: number): Trip {
  return {
    ...trip,
    opened_at: Math.min(trip.opened_at, now),
    until_at: Math.min(trip.until_at, now + Math.round(cap_ms * 1.1)),
  };
}

/** The failure-rate breaker of one target. */
export interface Breaker {
  readonly calls: CallRate;
  readonly trip: Trip | null;
}

export const CLOSED: Breaker = { calls: NO_CALLS, trip: null };

/** A call that is over. */
interface Call {
  readonly target: Pick<Target, "instance" | "model">;
  /** Epoch ms. */
  readonly started_at: number;
  readonly policy: BreakerPolicy;
}

/**
 * How much a failure counts against the target, from 0 to 1. The caller's doing and our own stops
 * count nothing, nor does what has an exact bench of its own: a rate limit is no outage.
 */
function faultWeight({ kind, affects_health }: Pick<Failure, "kind" | "affects_health">) {
  return affects_health === "none" ? 0 : (WEIGHTS[kind] ?? 0);
}

const WEIGHTS: Partial<Record<FailureKind, number>> = {
  overloaded: 1,
  timeout: 1,
  server: 1,
  network: 1,
  bad_upstream: 1,
  unknown: 1,
  // Part of an answer did arrive.
  stream_interrupted: 0.5,
};

/** Refusals that only a working upstream gives: whatever ailed it before is over. */
const SIGNS_OF_LIFE: ReadonlySet<FailureKind> = new Set([
  "rate_limit",
  "insufficient_credit",
  "auth",
  "model_not_found",
]);

/** The breaker after a failed call. */
export function afterFailure(
  breaker: Breaker,
  failure: Failure,
  { target, started_at, policy, ...moment }: Call & Moment,
): Breaker {
  if (SIGNS_OF_LIFE.has(failure.kind)) return afterAnswer(breaker, { started_at });
  const weight = faultWeight(failure);
  if (weight === 0) return breaker;
  const { trip } = breaker;
  if (trip !== null) {
    // Calls that were under way as it opened, or that were let through before its time, say nothing new.
    if (started_at < trip.until_at) return breaker;
    const detail = `its trial failed: ${failure.kind}`;
    const again = { ...trip, detail, reopened: trip.reopened + 1 };
    return { calls: NO_CALLS, trip: openTrip(again, policy, moment) };
  }
  const calls = noteCall(breaker.calls, { weight, now: moment.now, policy });
  const alarm = rateAlarm(calls, policy, moment.now);
  if (alarm === null) return { calls, trip };
  const detail = `${alarm}, the last one ${failure.kind}`;
  const subject = targetKey(target);
  const opening = { scope: "target", subject, cause: FAILURE_RATE, detail } as const;
  return { calls: NO_CALLS, trip: openTrip(opening, policy, moment) };
}

/** The breaker after a success: one closes it, unless it began before the breaker opened. */
export function afterSuccess(
  breaker: Breaker,
  { started_at, now, policy }: Pick<Call, "started_at" | "policy"> & Pick<Moment, "now">,
): Breaker {
  const { trip } = breaker;
  if (trip !== null) return started_at < trip.opened_at ? breaker : CLOSED;
  return { calls: noteCall(breaker.calls, { weight: 0, now, policy }), trip };
}

/** The breaker after a sign of life that says nothing of how the call ends: content, or a proper refusal. */
export function afterAnswer(breaker: Breaker, { started_at }: Pick<Call, "started_at">): Breaker {
  const { calls, trip } = breaker;
  if (trip !== null) return started_at < trip.opened_at ? breaker : CLOSED;
  return { calls: { ...calls, streak: 0 }, trip };
}
