import { type Target, targetKey } from "../address/target.ts";
import type { Trip } from "../health/breaker.ts";
import type { HealthNotice } from "../health/notices.ts";
import { isMuted, type Mute } from "../health/trips/mutes.ts";
import type { Observation } from "../health/trips/observation.ts";
import {
  observe,
  type ObserveInput,
  type TripEvent,
  type Withheld,
} from "../health/trips/observe.ts";
import type { TripPolicy } from "../health/trips/policy.ts";
import { afterProbe, probeOf, signatureOf } from "../health/trips/recovery.ts";
import { isSuspect, onProbation, type Suspicion, suspicionsOf } from "../health/trips/suspicion.ts";
import { widened } from "../health/trips/widen.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { TripScope } from "../verify/verdict.ts";
import type { LiveTrips } from "./live-trips.ts";
import { createRig, type Rig } from "./rig.ts";
import { type SignatureOrders, signatureOrders } from "./signature-orders.ts";
import { createTallies, type Tallies, type TallyKeeper } from "./tallies.ts";

export interface SuspicionView extends Suspicion {
  readonly scope: TripScope;
  readonly subject: string;
  /** When counting began, epoch ms. */
  readonly since_at: number;
}

/** The trip rule at work: verdicts in, trips out. */
export interface SignatureWatch extends SignatureOrders {
  /** The verdict on an attempt's output, when it is over; true if it counted for or against anyone. */
  observe(observation: Observation): boolean;
  /** The verdict on an answer to the canary: a trial of what is half open, and no evidence else. */
  tryOut(observation: Observation): boolean;
  /** Whether a target's answers are to be held back a little longer. */
  isSuspected(target: Target): boolean;
  suspicions(): readonly SuspicionView[];
  /** Writes baselines down. */
  save(): void;
}

export interface SignatureWatchDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly policy: () => TripPolicy;
  readonly trips: LiveTrips;
  readonly mutes: () => readonly Mute[];
  /** Host name of an instance, for telling upstreams apart. */
  readonly hostOf: (instance: string) => string;
  readonly keeper: TallyKeeper;
  /** Puts our own way of reading answers to the test. */
  readonly isDecodingSound: () => boolean;
  readonly notify: (notice: HealthNotice) => void;
}

const SCOPES = ["provider", "target"] as const;

export function createSignatureWatch(dependencies: SignatureWatchDependencies): SignatureWatch {
  const { clock, policy, trips } = dependencies;
  const tallies = createTallies(dependencies.keeper, clock.now());
  const parts: Parts = { ...dependencies, tallies, rig: createRig(dependencies) };

  return {
    observe(observation) {
      const { target, verdict } = observation;
      if (verdict.signature === "self_inflicted") parts.rig.noteOwnFault(target.instance);
      const open = openOn(target, trips);
      const now = clock.now();
      let isCounted = false;
      for (const scope of SCOPES) {
        if (observeIn({ scope, open, now }, observation, parts)) isCounted = true;
      }
      for (const trip of open) if (probe(trip, observation, parts)) isCounted = true;
      return isCounted;
    },
    tryOut(observation) {
      const open = openOn(observation.target, trips);
      return open.filter((trip) => probe(trip, observation, parts)).length > 0;
    },
    isSuspected(target) {
      if (openOn(target, trips).length > 0) return true;
      const now = clock.now();
      for (const scope of SCOPES) {
        const tally = tallies.of(subjectOf(scope, target), now);
        if (suspicionsOf(tally, { scope, policy: policy(), now }).some(isSuspect)) return true;
      }
      return false;
    },
    suspicions() {
      const context = { policy: policy(), now: clock.now() };
      return tallies
        .list()
        .flatMap(({ scope, subject, tally }) =>
          suspicionsOf(tally, { ...context, scope }).map((suspicion) =>
            Object.assign({ scope, subject, since_at: tally.since_at }, suspicion),
          ),
        );
    },
    ...signatureOrders(parts),
    save: () => tallies.save(),
  };
}

interface Parts extends SignatureWatchDependencies {
  readonly tallies: Tallies;
  readonly rig: Rig;
}

/** The trips by signature that are open on a target and on its instance. */
function openOn(target: Observation["target"], trips: LiveTrips): readonly Trip[] {
  const open = trips.of(target);
  return open.length === 0 ? open : open.filter((trip) => signatureOf(trip) !== null);
}

function subjectOf(scope: TripScope, target: Observation["target"]): string {
  return scope === "provider" ? target.instance : targetKey(target);
}

/** The answer as evidence for or against one scope that it belongs to; true if it counted. */
function observeIn(
  { scope, open, now }: Pick<ObserveInput, "scope" | "now"> & { readonly open: readonly Trip[] },
  observation: Observation,
  parts: Parts,
): boolean {
  const { random, policy, tallies } = parts;
  const { target } = observation;
  const subject = subjectOf(scope, target);
  const before = tallies.of(subject, now);
  const withheld = (signature: string) => withheldBy(signature, target, parts);
  const input = { scope, open, withheld, now, random, policy: policy() };
  const { tally, events, is_applied } = observe(before, observation, input);
  if (tally !== before) tallies.put({ scope, subject, tally });
  // Written down before it takes effect.
  if (events.length > 0) tallies.save(subject);
  for (const event of events) act(event, { scope, subject, target }, parts);
  return is_applied;
}

function withheldBy(
  signature: string,
  target: Observation["target"],
  { clock, policy, mutes, rig }: Parts,
): Withheld | null {
  const { mode, ignored } = policy();
  if (ignored.has(signature)) return "ignored";
  if (isMuted(target, signature, { mutes: mutes(), now: clock.now() })) return "muted";
  if (rig.isSuspected(signature)) return "rig_suspected";
  return mode === "observe" ? "observing" : null;
}

interface About {
  readonly scope: TripScope;
  readonly subject: string;
  readonly target: Observation["target"];
}

function act(event: TripEvent, { target, ...about }: About, parts: Parts): void {
  const { clock, policy, trips, rig, notify } = parts;
  switch (event.kind) {
    case "novel":
      return rig.note(event.signature, target.instance);
    case "tripped":
      return trips.put(
        null,
        widened(event.trip, { target, open: trips.list(), policy: policy(), now: clock.now() }),
      );
    case "warned":
      return notify({ ...about, ...event, kind: "signature_warning" });
    case "withheld":
      return notify({ ...about, ...event, kind: "trip_withheld" });
  }
}

/** The answer as a trial of a trip that is half open; true if it counted. */
function probe(trip: Trip, observation: Observation, parts: Parts): boolean {
  const { clock, random, policy, trips } = parts;
  const signature = signatureOf(trip);
  const found = signature === null ? null : probeOf(observation, signature, policy());
  if (signature === null || found === null) return false;
  const after = afterProbe(trip, found, { now: clock.now(), random, policy: policy() });
  if (after === trip) return false;
  if (after === null) putOnProbation(trip, signature, parts);
  trips.put(trip, after);
  return true;
}

function putOnProbation({ scope, subject, reopened }: Trip, signature: string, parts: Parts): void {
  if (scope === "endpoint") return;
  const { clock, policy, tallies } = parts;
  const now = clock.now();
  const context = { scope, policy: policy(), now, level: reopened };
  tallies.put({ scope, subject, tally: onProbation(tallies.of(subject, now), signature, context) });
  tallies.save(subject);
}
