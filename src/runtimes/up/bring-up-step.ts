import type { BakedFiles } from "../bake/baked-files.ts";
import type { Attachments } from "../supervision/attachments.ts";
import type { Step, StepDependencies, StepRequest } from "./step.ts";

export interface BringUpDependencies extends StepDependencies {
  readonly attachments: Pick<Attachments, "open">;
  /** Why the last attempt to open a tunnel failed. */
  readonly tunnelProblem: (name: string) => string | null;
  /** What `bake` has prepared. */
  readonly baked: Pick<BakedFiles, "read" | "readPart">;
}

export interface BringUpRequest extends StepRequest {
  /** The key that its server is to ask for. */
  readonly key: string;
  /** For gated models; null without one. */
  readonly hf_token: string | null;
}

/** What a machine that is to serve needs beyond what any rented machine does. */
export type BringUpStep = Step & BringUpDependencies & { readonly request: BringUpRequest };
