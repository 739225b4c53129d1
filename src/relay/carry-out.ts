import { targetKey } from "../address/target.ts";
import { FAILURE_FACTS, retryDelay } from "../health/failure-facts.ts";
import type { Failure } from "../health/failure.ts";
import { isTriable } from "../routing/arrange.ts";
import type { Candidate, Plan, Reason } from "../routing/plan.ts";
import type { Instance } from "../upstream/instance.ts";
import { attempt, type AttemptResult } from "./attempt.ts";
import type { RelayDependencies } from "./dependencies.ts";
import type { Run } from "./run.ts";
import type { Stop } from "./watch.ts";

/** A failed target with what it did. */
export interface Tried {
  readonly candidate: Candidate;
  readonly instance: Instance;
  readonly failure: Failure;
}

/** A candidate that was never called, and why. */
export interface Benched {
  readonly candidate: Candidate;
  readonly reasons: readonly Reason[];
}

export type Outcome =
  | Extract<AttemptResult, { kind: "json" | "stream" }>
  | { readonly kind: "stopped"; readonly stop: Stop }
  | {
      readonly kind: "failed";
      readonly tried: readonly Tried[];
      readonly benched: readonly Benched[];
    };

interface CarryOut {
  readonly run: Run;
  readonly plan: Extract<Plan, { kind: "route" }>;
  /** True once the router is stopping: no new attempts. */
  readonly isClosing: () => boolean;
}

/** Tries the candidates of a plan in order until one answers, none is left, or moving on is pointless. */
export async function carryOut(
  dependencies: RelayDependencies,
  { run, plan, isClosing }: CarryOut,
): Promise<Outcome> {
  const tried: Tried[] = [];
  const benched: Benched[] = [];
  for (const candidate of plan.candidates) {
    // Another request may have benched it since the plan was made.
    const reasons = isTriable(candidate)
      ? dependencies.health.reasons(candidate.member, plan.pool === null)
      : candidate.reasons;
    const instance = dependencies.registry.get(candidate.member.instance);
    if (reasons.length > 0 || !instance) {
      benched.push({ candidate, reasons });
      continue;
    }
    if (tried.length >= dependencies.settings().max_attempts) break;
    if (isClosing()) return { kind: "stopped", stop: { kind: "router_shutdown" } };
    const result = await onTarget(dependencies, { run, candidate, instance });
    if (result.kind === "stopped") return result;
    if (result.kind !== "failed") {
      run.entry.serve(targetKey(candidate.member));
      return result;
    }
    tried.push({ candidate, instance, failure: result.failure });
    if (!movesOn(result.failure) || run.timeLeft() === 0) break;
  }
  return { kind: "failed", tried, benched };
}

function movesOn({ kind }: Failure): boolean {
  const { fail_over } = FAILURE_FACTS[kind];
  return fail_over === "yes" || fail_over === "larger_window";
}

interface OnTarget {
  readonly run: Run;
  readonly candidate: Candidate;
  readonly instance: Instance;
}

/** One target: the attempt, and for some kinds one more in place, since moving discards a warm cache. */
async function onTarget(
  dependencies: RelayDependencies,
  { run, candidate, instance }: OnTarget,
): Promise<AttemptResult> {
  const first = await attempt(dependencies, { run, candidate, instance, retry: false });
  if (first.kind !== "failed") return first;
  const delay = retryDelay(first.failure, dependencies.random);
  if (delay === null || delay >= run.timeLeft()) return first;
  if (delay > 0) await pause(delay, run.stopper.signal);
  const stop = run.stopper.stopped();
  if (stop) return { kind: "stopped", stop };
  return attempt(dependencies, { run, candidate, instance, retry: true });
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
