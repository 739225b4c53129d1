import { targetKey } from "../address/target.ts";
import { FAILURE_FACTS } from "../health/failure-facts.ts";
import type { Failure } from "../health/failure.ts";
import { isTriable } from "../routing/arrange.ts";
import { afterOverflow, readOverflow } from "../routing/overflow.ts";
import type { Candidate, Plan, Reason } from "../routing/plan.ts";
import type { Instance } from "../upstream/instance.ts";
import type { AttemptResult } from "./attempt.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { type HaltedBy, onTarget } from "./on-target.ts";
import type { Run } from "./run.ts";

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
  | Extract<AttemptResult, { kind: "json" | "stream" | "stopped" }>
  | {
      readonly kind: "failed";
      readonly tried: readonly Tried[];
      readonly benched: readonly Benched[];
      /** Attempts or time ran out before every candidate whose window may be large enough was tried. */
      readonly larger_window_left: boolean;
    };

interface CarryOut {
  readonly run: Run;
  readonly plan: Extract<Plan, { kind: "route" }>;
  /** True once the router is stopping: no new attempts. */
  readonly isClosing: () => boolean;
}

/** Carries a plan out; if nothing in it is eligible, what may serve all the same. */
export async function carryOut(
  dependencies: RelayDependencies,
  { run, plan, isClosing }: CarryOut,
): Promise<Outcome> {
  const haltedBy: HaltedBy = () =>
    run.watch.stopped() ?? (isClosing() ? { kind: "router_shutdown" } : null);
  const outcome = await inOrder(dependencies, { run, plan, haltedBy });
  if (outcome.kind !== "failed" || outcome.tried.length > 0 || haltedBy() !== null) return outcome;
  const last = lastResort(dependencies, { run, plan });
  if (last === null) return outcome;
  const result = await onTarget(dependencies, { run, ...last, haltedBy });
  if (result.kind !== "failed") return result;
  return {
    ...outcome,
    tried: [{ ...last, failure: result.failure }],
    benched: outcome.benched.filter(({ candidate }) => candidate !== last.candidate),
  };
}

/** Tries the candidates of a plan in order until one answers, none is left, or moving on is pointless. */
async function inOrder(
  dependencies: RelayDependencies,
  { run, plan, haltedBy }: Pick<CarryOut, "run" | "plan"> & { readonly haltedBy: HaltedBy },
): Promise<Outcome> {
  const tried: Tried[] = [];
  const benched: Benched[] = [];
  const refusals: Refusal[] = [];
  let left = plan.candidates;
  for (;;) {
    const [candidate, ...others] = left;
    if (candidate === undefined) break;
    const usable = usability(dependencies, candidate, {
      pinned: plan.pool === null,
      stream: run.stream,
    });
    if (usable.kind === "benched") {
      benched.push({ candidate, reasons: usable.reasons });
      left = others;
      continue;
    }
    if (tried.length + refusals.length >= run.settings.max_attempts) break;
    const stop = haltedBy();
    if (stop?.kind === "timeout") break;
    if (stop) return { kind: "stopped", stop };
    left = others;
    const { instance } = usable;
    const result = await onTarget(dependencies, { run, candidate, instance, haltedBy });
    if (isPutAside(result, run.settings)) {
      refusals.push({ result, target: targetKey(candidate.member) });
      continue;
    }
    if (result.kind !== "failed") return result;
    const { failure } = result;
    tried.push({ candidate, instance, failure });
    if (!movesOn(failure, run.settings)) break;
    left = leftAfter(candidate, failure, left);
  }
  const [refusal] = refusals;
  // A refusal is an answer: with nobody left who answers otherwise the client gets it.
  if (refusal !== undefined) return serveRefusal(run, refusal);
  return { kind: "failed", tried, benched, larger_window_left: left.some(isTriable) };
}

/** Who may still be tried: once a prompt did not fit, those with a larger window. */
function leftAfter(
  failed: Candidate,
  { kind, message }: Failure,
  left: readonly Candidate[],
): readonly Candidate[] {
  if (kind !== "context_length") return left;
  return afterOverflow({ left, failed, overflow: readOverflow(message) });
}

type JsonResult = Extract<AttemptResult, { kind: "json" }>;

/** A whole answer that refuses, kept while others are asked. */
interface Refusal {
  readonly result: JsonResult;
  readonly target: string;
}

function serveRefusal({ entry }: Run, { result, target }: Refusal): JsonResult {
  entry.serve(target);
  return result;
}

function isPutAside(result: AttemptResult, { on_refusal }: Run["settings"]): result is JsonResult {
  return on_refusal === "failover" && result.kind === "json" && result.answer.kind === "refusal";
}

/** What may serve although nothing is eligible. */
function lastResort(
  { health, registry }: RelayDependencies,
  { run, plan }: Pick<CarryOut, "run" | "plan">,
): Pick<Tried, "candidate" | "instance"> | null {
  const candidate = health.lastResort(plan.candidates, run.stream);
  const instance = candidate && registry.get(candidate.member.instance);
  return candidate && instance ? { candidate, instance } : null;
}

type Usability =
  | { readonly kind: "usable"; readonly instance: Instance }
  | { readonly kind: "benched"; readonly reasons: readonly Reason[] };

/** Asked anew before each attempt: another request may have benched the target since the plan. */
function usability(
  { health, registry }: RelayDependencies,
  candidate: Candidate,
  { pinned, stream }: { readonly pinned: boolean; readonly stream: boolean },
): Usability {
  const { member } = candidate;
  const reasons = isTriable(candidate) ? health.reasons(member, pinned, stream) : candidate.reasons;
  if (reasons.length > 0) return { kind: "benched", reasons };
  const instance = registry.get(member.instance);
  return instance ? { kind: "usable", instance } : { kind: "benched", reasons: [REMOVED] };
}

const REMOVED: Reason = {
  layer: 4,
  code: "instance_removed",
  detail: "a reload took its provider away",
  until_at: null,
};

function movesOn({ kind }: Failure, { on_refusal }: Run["settings"]): boolean {
  const { fail_over } = FAILURE_FACTS[kind];
  if (fail_over === "on_refusal") return on_refusal === "failover";
  return fail_over === "yes" || fail_over === "larger_window";
}
