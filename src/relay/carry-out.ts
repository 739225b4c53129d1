import { targetKey } from "../address/target.ts";
import { FAILURE_FACTS } from "../health/failure-facts.ts";
import type { Failure } from "../health/failure.ts";
import { isTriable } from "../routing/arrange.ts";
import { afterOverflow, readOverflow } from "../routing/overflow.ts";
import type { Candidate, Plan } from "../routing/plan.ts";
import { type Aside, Asides } from "./asides.ts";
import type { AttemptResult, DoubtfulResult, JsonResult, Served } from "./attempt-result.ts";
import type { RelayDependencies } from "./dependencies.ts";
import { type Benched, nextUsable, type Usable } from "./next-usable.ts";
import { type HaltedBy, onTarget } from "./on-target.ts";
import type { Run } from "./run.ts";

/** A failed target with what it did. */
export interface Tried extends Usable {
  readonly failure: Failure;
}

export type Outcome =
  | Served
  | Extract<AttemptResult, { kind: "stopped" }>
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

/** Carries a plan out; if nobody eligible is in it or left, by what may serve all the same. */
export async function carryOut(
  dependencies: RelayDependencies,
  { run, plan, isClosing }: CarryOut,
): Promise<Outcome> {
  const haltedBy: HaltedBy = () =>
    run.watch.stopped() ?? (isClosing() ? { kind: "router_shutdown" } : null);
  const asides = new Asides();
  try {
    let outcome = await inOrder(dependencies, { run, plan, haltedBy, asides });
    while (outcome.kind === "failed" && haltedBy() === null && mayGoOn(outcome, run.settings)) {
      const next = await lastResort(dependencies, { run, plan, haltedBy }, outcome);
      if (next === null) break;
      outcome = next;
    }
    return outcome;
  } finally {
    asides.dropAll();
  }
}

interface InOrder extends Pick<CarryOut, "run" | "plan"> {
  readonly haltedBy: HaltedBy;
  /** Answers that somebody else may better. */
  readonly asides: Asides;
}

/** Tries the candidates of a plan in order until one answers, none is left, or moving on is pointless. */
async function inOrder(
  dependencies: RelayDependencies,
  { run, plan, haltedBy, asides }: InOrder,
): Promise<Outcome> {
  const { scrutiny } = plan;
  const tried: Tried[] = [];
  const benched: Benched[] = [];
  let left = plan.candidates;
  for (let targets = 0; ; targets++) {
    const next = nextUsable(dependencies, left, { pinned: plan.pool === null, stream: run.stream });
    benched.push(...next.benched);
    left = next.left;
    if (next.usable === null || targets >= run.settings.max_attempts) break;
    const stop = haltedBy();
    if (stop?.kind === "timeout") break;
    if (stop) return { kind: "stopped", stop };
    left = left.slice(1);
    const { candidate, instance } = next.usable;
    const about = { run, candidate, instance, scrutiny, pinned: plan.pool === null, haltedBy };
    const result = await onTarget(dependencies, about);
    if (isPutAside(result, run.settings)) {
      asides.add(asideOfRefusal(run, result, targetKey(candidate.member)));
      continue;
    }
    if (result.kind === "doubtful") asides.add(asideOfDoubtful(run, result));
    else if (result.kind !== "failed") return result;
    const { failure } = result;
    tried.push({ ...next.usable, failure });
    if (!movesOn(failure, run.settings)) break;
    left = leftAfter(candidate, failure, left);
  }
  const best = asides.takeBest();
  return best ?? { kind: "failed", tried, benched, larger_window_left: left.some(isTriable) };
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

function isPutAside(result: AttemptResult, { on_refusal }: Run["settings"]): result is JsonResult {
  return on_refusal === "failover" && result.kind === "json" && result.answer.kind === "refusal";
}

/** A refusal is an answer: with nobody left who answers otherwise the client gets it. */
function asideOfRefusal({ entry }: Run, result: JsonResult, target: string): Aside {
  const serve = () => {
    entry.serve(target);
    return result;
  };
  return { harm: 0, serve, drop: () => undefined };
}

/** Better a doubtful answer than none; the decision says that it is one. */
function asideOfDoubtful({ entry }: Run, doubtful: DoubtfulResult): Aside {
  const serve = () => {
    const served = doubtful.serve();
    if (served !== null) entry.degrade();
    return served;
  };
  return { ...doubtful, serve };
}

/** Whether one more target may be asked after these; who was benched is no larger window. */
function mayGoOn(
  { tried }: Extract<Outcome, { kind: "failed" }>,
  settings: Run["settings"],
): boolean {
  const last = tried.at(-1)?.failure;
  if (last === undefined) return true;
  const isLimited = tried.length >= settings.max_attempts || last.kind === "context_length";
  return !isLimited && movesOn(last, settings);
}

/** The answer of a target that may serve although nothing is eligible; null if there is none. */
async function lastResort(
  dependencies: RelayDependencies,
  { run, plan, haltedBy }: Omit<InOrder, "asides">,
  outcome: Extract<Outcome, { kind: "failed" }>,
): Promise<Outcome | null> {
  const { health, registry } = dependencies;
  const after_failures = outcome.tried.length > 0;
  const candidates = after_failures
    ? outcome.benched.map((benched) => benched.candidate)
    : plan.candidates;
  const candidate = health.lastResort(candidates, { stream: run.stream, after_failures });
  const instance = candidate && registry.get(candidate.member.instance);
  if (!candidate || !instance) return null;
  const { scrutiny } = plan;
  const about = { run, candidate, instance, scrutiny, pinned: plan.pool === null };
  const result = await onTarget(dependencies, { ...about, haltedBy });
  const { tried, benched, larger_window_left } = outcome;
  const failed = ({ failure }: { readonly failure: Failure }): Outcome => ({
    kind: "failed",
    tried: [...tried, { candidate, instance, failure }],
    benched: benched.filter((other) => other.candidate !== candidate),
    larger_window_left,
  });
  if (result.kind === "doubtful") return asideOfDoubtful(run, result).serve() ?? failed(result);
  return result.kind === "failed" ? failed(result) : result;
}

function movesOn({ kind }: Failure, { on_refusal }: Run["settings"]): boolean {
  const { fail_over } = FAILURE_FACTS[kind];
  if (fail_over === "on_refusal") return on_refusal === "failover";
  return fail_over === "yes" || fail_over === "larger_window";
}
