import { targetKey } from "../../address/target.ts";
import type { TripScope } from "../../verify/verdict.ts";
import { type Moment, openTrip, type Trip } from "../breaker.ts";
import { countOne, countRecent } from "./hours.ts";
import { noteModel, servedModels } from "./models.ts";
import { evidenceFor, type Observation } from "./observation.ts";
import { LEAST_HITS, LEAST_HITS_ON_PROBATION, type TripPolicy } from "./policy.ts";
import { causeOf } from "./recovery.ts";
import { scoreAfter, type Test } from "./sequential-test.ts";
import { fresh, testOf } from "./suspicion.ts";
import { baselineOf, isSpent, NO_HITS, type SignatureTally, type Tally } from "./tally.ts";
import { knowsOrigin, withOrigin } from "./witnesses.ts";

/** Why a trip that was due did not happen. */
export type Withheld = "observing" | "ignored" | "muted" | "rig_suspected";

/** What an observation brought to light. */
export type TripEvent =
  /** The signature was not seen here within a day. */
  | { readonly kind: "novel"; readonly signature: string }
  /** Something may be wrong: half of the proof, or a new signature twice in a quarter of an hour. */
  | { readonly kind: "warned"; readonly signature: string; readonly detail: string }
  | { readonly kind: "tripped"; readonly trip: Trip }
  | { readonly kind: "withheld"; readonly signature: string; readonly why: Withheld };

export interface Observed {
  readonly tally: Tally;
  readonly events: readonly TripEvent[];
  /** It counted, one way or the other. */
  readonly is_applied: boolean;
}

export interface ObserveInput extends Moment {
  readonly scope: TripScope;
  readonly policy: TripPolicy;
  /** Trips that are open on the observed target or its instance. */
  readonly open: readonly Pick<Trip, "scope" | "cause">[];
  /** Asked only when a trip is due. */
  readonly withheld: (signature: string) => Withheld | null;
}

const NOVELTY_MS = 15 * 60_000;
/** Clean answers after which an earlier trip is forgotten. */
const FORGET_AFTER = 100;

/** The tally of a scope after one more answer of a target within it, and what follows. */
export function observe(tally: Tally, observation: Observation, input: ObserveInput): Observed {
  const { scope, now } = input;
  const evidence = evidenceFor(observation, scope);
  if (evidence.kind === "none") return { tally, events: NO_EVENTS, is_applied: false };
  const models =
    scope === "provider"
      ? noteModel(tally.models, observation.target.model, evidence, now)
      : NO_MODELS;
  if (evidence.kind === "clean") {
    return { tally: clean(tally, models, input), events: NO_EVENTS, is_applied: true };
  }
  return bad({ ...tally, models }, evidence.signature, { observation, ...input });
}

const NO_EVENTS: readonly TripEvent[] = [];
const NO_MODELS: Tally["models"] = [];

function clean(tally: Tally, models: Tally["models"], input: ObserveInput): Tally {
  const { since_at, signatures } = tally;
  // While something is benched here, what comes through is a trial, and no measure of the usual.
  const counted = isFrozen(input) ? tally.clean : countOne(tally.clean, input.now);
  const next: Tally = { since_at, clean: counted, models, signatures };
  const charges = Object.entries(signatures);
  return charges.length === 0 ? next : { ...next, signatures: cleared(next, charges, input) };
}

function isFrozen({ scope, open }: ObserveInput): boolean {
  return open.some((trip) => trip.scope === scope && trip.cause.startsWith(causeOf("")));
}

/** What is left of the charges against a scope after one more clean answer. */
function cleared(
  tally: Tally,
  charges: readonly (readonly [string, SignatureTally])[],
  { scope, policy, open, now }: ObserveInput,
): Tally["signatures"] {
  const signatures: Record<string, SignatureTally> = {};
  for (const [name, before] of charges) {
    if (isOpen(open, name)) {
      signatures[name] = before;
      continue;
    }
    const current = fresh(before, now);
    const score = scoreAfter(current.score, false, testOf(tally, current, { scope, policy, now }));
    const after = afterClean({ ...current, score, last_at: now });
    if (!isSpent(after, now)) signatures[name] = after;
  }
  return signatures;
}

/** A signature after one clean answer, its score known. */
function afterClean(tally: SignatureTally): SignatureTally {
  const isOver = tally.score === 0;
  const total = tally.level === null ? 0 : tally.clean + 1;
  return {
    ...tally,
    hits: isOver ? 0 : tally.hits,
    is_warned: !isOver && tally.is_warned,
    probation: Math.max(0, tally.probation - 1),
    clean: total,
    level: total >= FORGET_AFTER ? null : tally.level,
  };
}

interface BadInput extends ObserveInput {
  readonly observation: Observation;
}

function bad(tally: Tally, signature: string, input: BadInput): Observed {
  const { now, open, observation, scope, policy } = input;
  const before = fresh(tally.signatures[signature] ?? NO_HITS, now);
  const { origin } = observation;
  if (isOpen(open, signature) || knowsOrigin(before.origins, origin, now)) {
    return { tally, events: NO_EVENTS, is_applied: false };
  }
  const test = testOf(tally, before, { scope, policy, now });
  const after: SignatureTally = {
    ...before,
    bad: countOne(before.bad, now),
    score: scoreAfter(before.score, true, test),
    hits: before.hits + 1,
    last_at: now,
    bad_at: now,
    probation: Math.max(0, before.probation - 1),
    origins: withOrigin(before.origins, origin, now),
  };
  const counted = { tally, signature, before, after, test };
  const { next, events } = conclude(counted, input);
  const signatures = { ...tally.signatures, [signature]: next };
  const novel = countRecent(before.bad, now) === 0 ? [{ kind: "novel", signature } as const] : [];
  return { tally: { ...tally, signatures }, events: [...novel, ...events], is_applied: true };
}

interface Counted {
  readonly tally: Tally;
  readonly signature: string;
  readonly before: SignatureTally;
  readonly after: SignatureTally;
  readonly test: Test;
}

/** What a counted bad answer leads to: nothing, a warning, or a trip. */
function conclude(
  { tally, signature, before, after, test }: Counted,
  input: BadInput,
): { readonly next: SignatureTally; readonly events: readonly TripEvent[] } {
  const { now, scope } = input;
  const least = before.probation > 0 ? LEAST_HITS_ON_PROBATION : LEAST_HITS[scope];
  if (after.score >= test.threshold && after.hits >= least) {
    const next = { ...after, score: 0, hits: 0, is_warned: false };
    const why = input.withheld(signature);
    if (why !== null) return { next, events: [{ kind: "withheld", signature, why }] };
    const trip = tripFor(tally, signature, { after, input });
    // A target benched in its instance's stead leaves the case against the instance as it stands.
    const isWhole = trip.scope === scope;
    return { next: isWhole ? next : after, events: [{ kind: "tripped", trip }] };
  }
  const isNovel =
    baselineOf(tally, after, now).bad === 0 && now - (before.bad_at ?? -Infinity) <= NOVELTY_MS;
  const isHalfway = after.hits > 1 && after.score >= test.threshold / 2;
  if (after.is_warned || !(isNovel || isHalfway)) return { next: after, events: [] };
  const detail = `${after.hits} bad answers, score ${after.score.toFixed(1)} of ${test.threshold.toFixed(1)}`;
  return { next: { ...after, is_warned: true }, events: [{ kind: "warned", signature, detail }] };
}

interface Proven {
  readonly after: SignatureTally;
  readonly input: BadInput;
}

function tripFor(tally: Tally, signature: string, { after, input }: Proven): Trip {
  const { observation, scope, policy, now } = input;
  const { target } = observation;
  const { served, bad: affected } = servedModels(tally.models, now);
  // The pipe of an instance mangles whatever goes through it: one model of several is its own fault.
  const isOwn = scope === "target" || (served > 1 && affected < 2);
  const detail = `${after.hits} bad answers, score ${after.score.toFixed(1)}`;
  return openTrip(
    {
      scope: isOwn ? "target" : "provider",
      subject: isOwn ? targetKey(target) : target.instance,
      cause: causeOf(signature),
      detail,
      reopened: after.level === null ? 0 : after.level + 1,
    },
    policy.timing,
    input,
  );
}

function isOpen(open: ObserveInput["open"], signature: string): boolean {
  return open.some(({ cause }) => cause === causeOf(signature));
}
