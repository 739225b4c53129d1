import type { Target } from "../address/target.ts";
import {
  afterAnswer,
  afterFailure,
  afterSuccess,
  type Breaker,
  FAILURE_RATE,
} from "../health/breaker.ts";
import { afterTrialStart, benchAfter, benchAfterSuccess } from "../health/cooldowns.ts";
import type { ExclusionIndex } from "../health/exclusions.ts";
import type { Failure } from "../health/failure.ts";
import type { HealthNotice } from "../health/notices.ts";
import { type HealthPolicy, withPolicy } from "../health/policy.ts";
import type { Subject } from "../health/scope.ts";
import type { SuspensionIndex } from "../health/suspensions.ts";
import type { Mute } from "../health/trips/mutes.ts";
import type { TripPolicy } from "../health/trips/policy.ts";
import { signatureOf } from "../health/trips/recovery.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { type Cleared, clearHealth } from "./clear-health.ts";
import { createFailoverWatch, type FailoverWatch } from "./failover-watch.ts";
import {
  benchesOf,
  type HealthMaps,
  mayBeBenched,
  setInstanceBench,
  stateOf,
  type TargetState,
  trialKey,
} from "./health-maps.ts";
import { type HealthView, viewOf } from "./health-view.ts";
import { createLiveTrips, type TripKeeper } from "./live-trips.ts";
import { createSignatureWatch, type SignatureWatch } from "./signature-watch.ts";
import type { TallyKeeper } from "./tallies.ts";
import { createTrials } from "./trials.ts";

/** When a call began, epoch ms. */
export interface Began {
  readonly started_at: number;
}

/** A request on its way to a target that may be benched. */
interface Trial {
  /** Something benches the target, or did until this request. */
  readonly is_trial: boolean;
  /** If the answer is bad again, the client has seen it before anyone knows. */
  readonly is_at_clients_expense: boolean;
  /** Lets the next one try. */
  end(): void;
}

/** Requests on their way. */
interface Tracking {
  /** Counts a call to a target as in flight until the returned function is called. */
  begin(target: Target): () => void;
  /** Makes a request the one trial of whatever benches its target; it must end, after the call's result. */
  claim(target: Target, stream?: boolean): Trial;
}

/** How calls went. */
interface Results {
  /** The first content arrived: what ailed the target before the call began is over. */
  responds(target: Target, call: Began): void;
  succeed(target: Target, call: Began & { readonly latency_ms: number }): void;
  fail(target: Target, failure: Failure, call: Began): void;
}

/** Live health: who is benched and how busy each target is. The rules are in `health/`. */
export interface Health extends HealthView, Tracking, Results {
  /** A target has answered a plan. */
  readonly served: FailoverWatch;
  /** What answers look like, and who is benched for it. */
  readonly signatures: SignatureWatch;
  /** Lifts all that benches an instance or a target but exclusions. */
  clear(subject: Subject): Cleared;
  /** An instance has another credential or address: what befell the old one no longer counts. */
  credentialChanged(instance: string): void;
}

export interface HealthDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly policy: () => HealthPolicy;
  readonly exclusions: () => ExclusionIndex;
  readonly suspensions: () => SuspensionIndex;
  readonly trips: TripKeeper;
  readonly tripPolicy: () => TripPolicy;
  /** The canary finds out when a signature is over at a target, so that clients need not. */
  readonly isAsked?: (target: Target, signature: string) => boolean;
  readonly tallies: TallyKeeper;
  readonly mutes: () => readonly Mute[];
  /** Host name of an instance's base URL. */
  readonly hostOf: (instance: string) => string;
  /** Puts our own way of reading answers to the test. */
  readonly isDecodingSound: () => boolean;
  readonly notify: (notice: HealthNotice) => void;
  /** A vendor says that the account behind an instance is out of money. */
  readonly onEmptyAccount: (instance: string) => void;
}

export function createHealth(dependencies: HealthDependencies): Health {
  const { clock, policy, tripPolicy, notify } = dependencies;
  const trips = createLiveTrips({
    keeper: dependencies.trips,
    timingOf: (cause) => (cause === FAILURE_RATE ? policy().breaker : tripPolicy().timing),
    notify,
    now: clock.now(),
  });
  const maps: HealthMaps = {
    targets: new Map(),
    instances: new Map(),
    trips,
    trials: createTrials(),
  };
  const signatures = createSignatureWatch({
    ...dependencies,
    policy: tripPolicy,
    trips,
    keeper: dependencies.tallies,
  });
  const clear = (subject: Subject) => {
    signatures.forget(subject);
    return clearHealth(maps, subject, clock.now());
  };
  return {
    ...viewOf(maps, dependencies),
    ...tracking(maps, dependencies),
    ...results(maps, dependencies),
    served: createFailoverWatch(notify),
    signatures,
    clear,
    credentialChanged: (instance) => void clear({ scope: "provider", subject: instance, instance }),
  };
}

const NO_TRIAL: Trial = { is_trial: false, is_at_clients_expense: false, end: () => undefined };

function tracking(
  maps: HealthMaps,
  { clock, tripPolicy }: Pick<HealthDependencies, "clock" | "tripPolicy">,
): Tracking {
  return {
    begin(target) {
      const state = stateOf(maps, target);
      state.inFlight++;
      const bench = maps.instances.get(target.instance);
      if (bench) setInstanceBench(maps, target.instance, afterTrialStart(bench, clock.now()));
      return () => void state.inFlight--;
    },
    claim(target, stream = false) {
      const trips = maps.trips.of(target);
      if (trips.length === 0 && !mayBeBenched(maps, target)) return NO_TRIAL;
      const benched = [...trips, ...benchesOf(maps, target, clock.now())];
      const end = maps.trials.begin(benched.map((what) => trialKey(what, target)));
      const { traits } = tripPolicy();
      const is_at_clients_expense =
        stream && trips.some((trip) => traits(signatureOf(trip) ?? "").needs_whole);
      return { is_trial: benched.length > 0, is_at_clients_expense, end };
    },
  };
}

/** Weight of the newest successful call in the latency average. */
const LATENCY_WEIGHT = 0.3;

function results(
  maps: HealthMaps,
  { clock, random, policy, onEmptyAccount }: HealthDependencies,
): Results {
  function change(target: Target, next: (breaker: Breaker) => Breaker): TargetState {
    const state = stateOf(maps, target);
    const trip = maps.trips.failureRate(target);
    const after = next({ calls: state.calls, trip });
    state.calls = after.calls;
    maps.trips.put(trip, after.trip);
    return state;
  }

  function recover(state: TargetState, { started_at }: Began): void {
    const { instance } = state.target;
    const whole = maps.instances.get(instance) ?? null;
    if (state.bench === null && whole === null) return;
    const success = { started_at, now: clock.now() };
    state.bench = benchAfterSuccess(state.bench, success);
    setInstanceBench(maps, instance, benchAfterSuccess(whole, success));
  }

  return {
    responds(target, call) {
      const state = change(target, (breaker) => afterAnswer(breaker, call));
      recover(state, call);
    },
    succeed(target, { started_at, latency_ms }) {
      const call = { started_at, now: clock.now(), policy: policy().breaker };
      const state = change(target, (breaker) => afterSuccess(breaker, call));
      state.latency_ms = average(state.latency_ms, latency_ms);
      recover(state, call);
    },
    fail(target, raw, { started_at }) {
      const now = clock.now();
      const failure = withPolicy(raw, policy().cooldowns);
      const call = { target, started_at, now, random, policy: policy().breaker };
      const state = change(target, (breaker) => afterFailure(breaker, failure, call));
      if (failure.affects_health !== "instance") {
        state.bench = benchAfter(state.bench, failure, now);
        return;
      }
      const whole = maps.instances.get(target.instance) ?? null;
      setInstanceBench(maps, target.instance, benchAfter(whole, failure, now));
      if (failure.kind === "insufficient_credit") onEmptyAccount(target.instance);
    },
  };
}

function average(before: number | null, latest: number): number {
  return before === null ? latest : before + LATENCY_WEIGHT * (latest - before);
}
