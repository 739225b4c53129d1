import type { LeasePlan } from "../lease-plan.ts";
import type { Step, StepDependencies, StepRequest } from "../up/step.ts";
import type { BakedFiles } from "./baked-files.ts";

export interface BakeStepDependencies extends StepDependencies {
  readonly baked: Pick<BakedFiles, "begin">;
}

export interface BakeStepRequest extends StepRequest {
  /** What it is prepared for. */
  readonly plan: Pick<LeasePlan, "recipe" | "sku">;
}

export type BakeStep = Step & BakeStepDependencies & { readonly request: BakeStepRequest };
