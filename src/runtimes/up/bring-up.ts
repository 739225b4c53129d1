import { keyVariable } from "../bootstrap/server-plan.ts";
import { attach } from "./attach.ts";
import type { BringUpDependencies, BringUpRequest, BringUpStep } from "./bring-up-step.ts";
import { findGpu, guard } from "./guard.ts";
import { measureRate } from "./measure-rate.ts";
import { identify, rent } from "./rent.ts";
import { launch } from "./serve.ts";
import { insist, type Problem, stepOf } from "./step.ts";
import { type StepsOutcome, takeSteps } from "./take-steps.ts";

export type BringUpOutcome =
  { readonly kind: "ready" } | Exclude<StepsOutcome, { readonly kind: "done" }>;

const STEPS = [rent, identify, guard, findGpu, handOver, launch, measureRate, attach] as const;

/** Makes a machine that serves of a lease that is on disk and supervised. */
export async function bringUp(
  dependencies: BringUpDependencies,
  request: BringUpRequest,
): Promise<BringUpOutcome> {
  const { key, hf_token } = request;
  const outcome = await takeSteps(stepOf(dependencies, request), STEPS, [key, hf_token ?? ""]);
  return outcome.kind === "done" ? { kind: "ready" } : outcome;
}

/** Keys travel by upload, so that they are in no argument, environment or history here. */
function handOver(step: BringUpStep): Promise<Problem | null> {
  const { key, hf_token } = step.request;
  const recipe = step.lease().plan?.recipe ?? "vllm";
  const secrets = {
    [keyVariable(recipe)]: key,
    ...(hf_token === null ? {} : { HF_TOKEN: hf_token }),
  };
  return insist(step, () => step.machine.sendSecrets(secrets));
}
