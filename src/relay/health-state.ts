import { type Target, type TargetKey, targetKey } from "../address/target.ts";
import {
  afterTrialStart,
  type Bench,
  benchAfter,
  benchAfterSuccess,
  isBenched,
} from "../health/cooldowns.ts";
import { eligibility } from "../health/eligibility.ts";
import type { Failure } from "../health/failure.ts";
import type { Clock } from "../lib/clock.ts";
import type { Reason } from "../routing/plan.ts";
import type { Cooldown, TargetHealth } from "./client-request.ts";

/** Live health: who is benched and how busy each target is. The rules are in `health/`. */
export interface Health extends HealthView {
  /** Counts a call to a target as in flight until the returned function is called. */
  begin(target: Target): () => void;
  /** `started_at` is the epoch ms the call began at. */
  succeed(target: Target, call: { readonly started_at: number; readonly latency_ms: number }): void;
  fail(target: Target, failure: Failure): void;
}

export interface HealthView {
  /** Why a target may not be used now; a pinned one skips what we imposed ourselves. */
  reasons(target: Target, pinned: boolean): readonly Reason[];
  /** Benches in force on a target or its instance. */
  benches(target: Target): readonly Bench[];
  list(): readonly TargetHealth[];
  cooldowns(): readonly Cooldown[];
}

interface TargetState {
  readonly target: Target;
  inFlight: number;
  latency_ms: number | null;
  bench: Bench | null;
}

interface HealthMaps {
  readonly targets: Map<TargetKey, TargetState>;
  readonly instances: Map<string, Bench>;
}

/** Clients may name any model of an instance; the least recently used ones are forgotten. */
const MAX_TARGETS = 4096;
/** Weight of the newest successful call in the latency average. */
const LATENCY_WEIGHT = 0.3;

export function createHealth({ clock }: { readonly clock: Clock }): Health {
  const maps: HealthMaps = { targets: new Map(), instances: new Map() };
  const { instances } = maps;

  function setInstanceBench(instance: string, bench: Bench | null): void {
    if (bench) instances.set(instance, bench);
    else instances.delete(instance);
  }

  return {
    ...viewOf(maps, clock),
    begin(target) {
      const state = stateOf(maps, target);
      state.inFlight++;
      const bench = instances.get(target.instance);
      if (bench) setInstanceBench(target.instance, afterTrialStart(bench, clock.now()));
      return () => void state.inFlight--;
    },
    succeed(target, { started_at, latency_ms }) {
      const state = stateOf(maps, target);
      const success = { started_at, now: clock.now() };
      state.latency_ms = average(state.latency_ms, latency_ms);
      state.bench = benchAfterSuccess(state.bench, success);
      const bench = instances.get(target.instance) ?? null;
      setInstanceBench(target.instance, benchAfterSuccess(bench, success));
    },
    fail(target, failure) {
      const now = clock.now();
      if (failure.affects_health === "instance") {
        const bench = instances.get(target.instance) ?? null;
        setInstanceBench(target.instance, benchAfter(bench, failure, now));
        return;
      }
      const state = stateOf(maps, target);
      state.bench = benchAfter(state.bench, failure, now);
    },
  };
}

function viewOf({ targets, instances }: HealthMaps, clock: Clock): HealthView {
  const known = (target: Target) =>
    [
      instances.get(target.instance) ?? null,
      targets.get(targetKey(target))?.bench ?? null,
    ] as const;

  function reasons(target: Target, pinned: boolean): Reason[] {
    const lifted = (bench: Bench | null) => (bench && pinned && isOurs(bench) ? null : bench);
    const [instance, own] = known(target);
    const layers = { instance_bench: lifted(instance), target_bench: lifted(own) };
    return eligibility({
      ...layers,
      dialect: { name: "", supported: true },
      problem: null,
      now: clock.now(),
    });
  }

  function benches(target: Target): Bench[] {
    const now = clock.now();
    return known(target).filter((bench): bench is Bench => bench !== null && isBenched(bench, now));
  }

  return {
    reasons,
    benches,
    list: () => [...targets.values()].map((state) => healthOf(state, reasons(state.target, false))),
    cooldowns: () =>
      [...targets.values()].flatMap(({ target }) =>
        benches(target).map(({ kind, until_at }) => ({
          target: targetKey(target),
          kind,
          until_at,
        })),
      ),
  };
}

function stateOf({ targets }: HealthMaps, target: Target): TargetState {
  const key = targetKey(target);
  const state = targets.get(key) ?? { target, inFlight: 0, latency_ms: null, bench: null };
  targets.delete(key);
  targets.set(key, state);
  if (targets.size > MAX_TARGETS) forgetOne(targets);
  return state;
}

/** The least recently used target with nothing in flight. */
function forgetOne(targets: HealthMaps["targets"]): void {
  for (const [key, { inFlight }] of targets) {
    if (inFlight > 0) continue;
    targets.delete(key);
    return;
  }
}

/** A bench that no vendor asked for and no empty wallet caused. */
function isOurs({ vendor_named, kind, until_at }: Bench): boolean {
  return !vendor_named && kind !== "insufficient_credit" && until_at !== null;
}

function average(before: number | null, latest: number): number {
  return before === null ? latest : before + LATENCY_WEIGHT * (latest - before);
}

function healthOf({ target, inFlight, latency_ms }: TargetState, reasons: Reason[]): TargetHealth {
  return {
    target: targetKey(target),
    eligible: reasons.length === 0,
    reasons,
    in_flight: inFlight,
    latency_ms: latency_ms === null ? null : Math.round(latency_ms),
    score: null,
  };
}
