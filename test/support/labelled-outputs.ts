import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { InspectedOutput } from "../../src/verify/inspect-output.ts";

export interface LabelledOutput {
  readonly id: string;
  /** A line of `veriroute inspect output`. */
  readonly line: {
    readonly completion?: string;
    readonly completion_b64?: string;
    readonly extra?: { readonly mode?: string };
    readonly [key: string]: unknown;
  };
  readonly expected: Omit<InspectedOutput, "id" | "detail">;
}

const FILE = join(import.meta.dir, "..", "fixtures", "verify", "outputs.jsonl");

/** Outputs of models and gateways, good and bad, with the verdict that people gave them. */
export const LABELLED_OUTPUTS: readonly LabelledOutput[] = readFileSync(FILE, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line))
  // Which language an answer should have is known to the canary only.
  .filter(({ line }: LabelledOutput) => line.extra?.mode !== "canary");
