import { FAILURE_RATE, type Trip, tripState } from "./breaker.ts";
import { type Bench, isBenched, isFirm } from "./cooldowns.ts";
import type { Exclusion } from "./exclusions.ts";

/** Why a target is left out. The layers are those of docs/health.md; the lower, the firmer. */
export interface IneligibleReason {
  readonly layer: number;
  readonly code: string;
  readonly detail: string | null;
  /** Epoch ms, if it lifts by itself. */
  readonly until_at: number | null;
}

/**
 * What may be done about an obstacle when it is in the way:
 * - `never`: nothing; a person, a key, money or the vendor's clock has to lift it;
 * - `pinned`: a client that names the target gets it, nobody else;
 * - `one_at_a_time`: so does one request at a time that has nowhere else to go;
 * - `always`: so does every request that has nowhere else to go.
 */
export type Yields = "never" | "pinned" | "one_at_a_time" | "always";

/** One layer that matches, and how firm it is. */
export interface Obstacle {
  readonly reason: IneligibleReason;
  readonly yields: Yields;
  /** A request is on its way to find out whether the obstacle still holds. */
  readonly is_tried: boolean;
}

/** Layers 1 to 6 of one target as values; what the request needs and the config allows is routing's. */
export interface EligibilityInput {
  readonly exclusions: readonly Exclusion[];
  readonly suspensions: readonly Suspension[];
  readonly trips: readonly LiveTrip[];
  readonly benches: readonly LiveBench[];
  /** Epoch ms. */
  readonly now: number;
}

/** The canary's bench of a target's only endpoint. */
export interface Suspension {
  readonly detail: string;
  /** Epoch ms. */
  readonly until_at: number | null;
}

interface Tried {
  readonly is_tried: boolean;
}

export type LiveTrip = Trip &
  Tried & {
    /** It would let a request try whose answer is not a stream. */
    readonly is_for_whole?: boolean;
    /** The canary tries, so that no client has to. */
    readonly is_asked?: boolean;
  };
export type LiveBench = Bench & Tried;

/** Every layer that benches the target, firmest first; empty means eligible. Nothing is left unsaid. */
export function eligibility(input: EligibilityInput): readonly Obstacle[] {
  const { exclusions, suspensions, trips, benches, now } = input;
  const found: Obstacle[] = [];
  // Plain loops: a plan does this for each of its targets.
  for (const exclusion of exclusions) found.push(ofExclusion(exclusion));
  for (const suspension of suspensions) found.push(ofSuspension(suspension));
  for (const trip of trips) add(found, ofTrip(trip, now));
  for (const bench of benches) add(found, ofBench(bench, now));
  return found.length < 2 ? found : found.toSorted((a, b) => a.reason.layer - b.reason.layer);
}

function add(found: Obstacle[], obstacle: Obstacle | null): void {
  if (obstacle !== null) found.push(obstacle);
}

/** What keeps out a request that names its target: what others imposed, not what we did. */
export function heldWhenPinned(obstacles: readonly Obstacle[]): readonly Obstacle[] {
  return obstacles.filter(({ yields }) => yields === "never");
}

const LAYER = { static: 1, operator: 2, canary: 3, unusable: 4, breaker: 5, cooldown: 6 } as const;

function ofExclusion({ source, reason, until_at }: Exclusion): Obstacle {
  const [layer, code] =
    source === "operator"
      ? ([LAYER.operator, "operator_exclusion"] as const)
      : ([LAYER.static, "static_exclusion"] as const);
  return firm({ layer, code, detail: reason, until_at });
}

function ofSuspension({ detail, until_at }: Suspension): Obstacle {
  const reason = { layer: LAYER.canary, code: "canary_suspended", detail, until_at };
  return { reason, yields: "pinned", is_tried: false };
}

function ofTrip(trip: LiveTrip, now: number): Obstacle | null {
  const { scope, cause, detail, until_at, is_tried } = trip;
  const isOpen = tripState(trip, now) === "open";
  const waits = waitOf(trip);
  if (!isOpen && waits === null) return null;
  const whole = scope === "provider" ? ", for the whole instance" : "";
  const left = isOpen ? `a trial in ${secondsTo(until_at, now)} s` : `half open, ${waits}`;
  const reason = {
    layer: LAYER.breaker,
    code: "breaker_open",
    detail: `${cause}${whole}: ${detail}; ${left}`,
    until_at: isOpen ? until_at : null,
  };
  return { reason, yields: cause === FAILURE_RATE ? "one_at_a_time" : "always", is_tried };
}

/** What a half-open breaker waits for before it lets this request try; null if for nothing. */
function waitOf({ is_tried, is_asked = false, is_for_whole = false }: LiveTrip): string | null {
  if (is_tried) return "its one trial is under way";
  if (is_asked) return "the canary asks whether it is over";
  return is_for_whole ? "waits for a request that is no stream" : null;
}

function ofBench(bench: LiveBench, now: number): Obstacle | null {
  if (!isBenched(bench, now)) return null;
  const { kind, scope, until_at, trial_at, vendor_code, is_tried } = bench;
  if (until_at === null) {
    const code = vendor_code === null ? "" : ` (${vendor_code})`;
    const trial = trial_at === null ? "" : `, one trial in ${secondsTo(trial_at, now)} s`;
    const detail = `the upstream refused the credential${code}; change it${trial}`;
    return firm({ layer: LAYER.unusable, code: "unusable_auth", detail, until_at });
  }
  const whole = scope === "instance" ? ", for the whole instance" : "";
  const detail = `${secondsTo(until_at, now)} s left after ${kind}${whole}`;
  const reason = { layer: LAYER.cooldown, code: "cooldown", detail, until_at };
  return isFirm(bench) ? firm(reason) : { reason, yields: "one_at_a_time", is_tried };
}

function firm(reason: IneligibleReason): Obstacle {
  return { reason, yields: "never", is_tried: false };
}

function secondsTo(instant: number, now: number): number {
  return Math.ceil((instant - now) / 1000);
}
