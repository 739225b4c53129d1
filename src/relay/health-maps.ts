import { type Target, type TargetKey, targetKey } from "../address/target.ts";
import { type CallRate, NO_CALLS } from "../health/call-rate.ts";
import { type Bench, isBenched } from "../health/cooldowns.ts";
import type { LiveTrips } from "./live-trips.ts";
import type { Trials } from "./trials.ts";

/** What is known of one target while the process lives. */
export interface TargetState {
  readonly target: Target;
  inFlight: number;
  /** Moving average of successful calls. */
  latency_ms: number | null;
  bench: Bench | null;
  calls: CallRate;
}

/** Live health of everything, in memory. */
export interface HealthMaps {
  readonly targets: Map<TargetKey, TargetState>;
  readonly instances: Map<string, Bench>;
  readonly trips: LiveTrips;
  readonly trials: Trials;
}

/** Clients may name any model of an instance; the least recently used ones are forgotten. */
const MAX_TARGETS = 4096;

/** The state of a target that is used now. */
export function stateOf({ targets }: Pick<HealthMaps, "targets">, target: Target): TargetState {
  const key = targetKey(target);
  const state = targets.get(key) ?? newState(target);
  targets.delete(key);
  targets.set(key, state);
  if (targets.size > MAX_TARGETS) forgetOne(targets);
  return state;
}

function newState(target: Target): TargetState {
  return { target, inFlight: 0, latency_ms: null, bench: null, calls: NO_CALLS };
}

/** The least recently used target with nothing in flight. */
function forgetOne(targets: HealthMaps["targets"]): void {
  for (const [key, { inFlight }] of targets) {
    if (inFlight > 0) continue;
    targets.delete(key);
    return;
  }
}

/** The benches in force on a target and on its instance. */
export function benchesOf(
  { targets, instances }: HealthMaps,
  target: Target,
  now: number,
): readonly Bench[] {
  const whole = instances.get(target.instance);
  const own = targets.get(targetKey(target))?.bench;
  const found: Bench[] = [];
  if (whole && isBenched(whole, now)) found.push(whole);
  if (own && isBenched(own, now)) found.push(own);
  return found;
}

/** Whether there is any bench at all to look at: a plan asks this of each of its targets. */
export function mayBeBenched({ targets, instances }: HealthMaps, target: Target): boolean {
  const own = targets.get(targetKey(target));
  return (own !== undefined && own.bench !== null) || instances.has(target.instance);
}

export function setInstanceBench(
  { instances }: Pick<HealthMaps, "instances">,
  name: string,
  bench: Bench | null,
): void {
  if (bench) instances.set(name, bench);
  else instances.delete(name);
}

/** Names a bench or a trip among the trials. */
export function trialKey(what: { scope: string; cause?: string }, target: Target): string {
  const { scope, cause = "cooldown" } = what;
  const isWhole = scope === "instance" || scope === "provider";
  return `${cause} ${isWhole ? target.instance : targetKey(target)}`;
}
