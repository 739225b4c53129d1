import { keyVariable } from "../bootstrap/server-plan.ts";
import { redactText } from "../redact.ts";
import { attach } from "./attach.ts";
import { guard } from "./guard.ts";
import { identify, rent } from "./rent.ts";
import { launch } from "./serve.ts";
import {
  type BringUpDependencies,
  type BringUpRequest,
  Ended,
  insist,
  type Problem,
  type Step,
  stepOf,
} from "./step.ts";

export type BringUpOutcome =
  | { readonly kind: "ready" }
  /** Nothing costs money if `notice` is null. */
  | { readonly kind: "failed"; readonly message: string; readonly notice: string | null }
  /** Somebody else has ended it, and answers for that. */
  | { readonly kind: "ended" };

const STEPS = [rent, identify, guard, handOver, launch, attach] as const;

/**
 * Makes a machine that serves of a lease that is on disk and supervised. Whatever fails, the machine is
 * released, and nothing is tried that a release under way could be hindered by.
 */
export async function bringUp(
  dependencies: BringUpDependencies,
  request: BringUpRequest,
): Promise<BringUpOutcome> {
  const step = stepOf(dependencies, request);
  try {
    for (const act of STEPS) {
      step.lease();
      const problem = await act(step);
      if (problem !== null) return await giveUp(step, problem);
    }
    return { kind: "ready" };
  } catch (error) {
    if (error instanceof Ended) return { kind: "ended" };
    const reason = error instanceof Error ? error.message : String(error);
    return await giveUp(step, { message: `a fault of the router: ${reason}` });
  } finally {
    request.identified();
  }
}

async function giveUp(
  { supervisor, request: { name, key, hf_token } }: Step,
  problem: Problem,
): Promise<BringUpOutcome> {
  const { was_refused = false } = problem;
  const message = redactText(problem.message, [key, hf_token ?? ""]);
  if ((await supervisor.change(name, { error: message })) === null) return { kind: "ended" };
  const outcome = await supervisor.release(name, { why: message, was_refused });
  const notice = outcome?.kind === "unproven" ? outcome.notice : null;
  return { kind: "failed", message, notice };
}

/** Keys travel by upload, so that they are in no argument, environment or history here. */
function handOver(step: Step): Promise<Problem | null> {
  const { key, hf_token } = step.request;
  const recipe = step.lease().plan?.recipe ?? "vllm";
  const secrets = {
    [keyVariable(recipe)]: key,
    ...(hf_token === null ? {} : { HF_TOKEN: hf_token }),
  };
  return insist(step, () => step.machine.sendSecrets(secrets));
}
