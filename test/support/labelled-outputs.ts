import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { InspectedOutput } from "../../src/verify/inspect-output.ts";

/** What a line may tell beside prompt and completion. */
export interface OutputExtra {
  readonly mode?: string;
  readonly tools?: readonly unknown[];
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly response_format?: { readonly type: string; readonly schema?: object };
  readonly prefill?: unknown;
  readonly after_tool_result?: boolean;
  readonly completion_tokens?: number;
  readonly reasoning_tokens?: number;
  readonly stream_done?: boolean;
  readonly client_aborted?: boolean;
  readonly reasoning_inline?: boolean;
}

/** A line of `veriroute inspect output`. */
export interface OutputLine {
  readonly prompt?: string;
  readonly completion?: string;
  readonly completion_b64?: string;
  readonly extra?: OutputExtra;
  readonly [key: string]: unknown;
}

export interface LabelledOutput {
  readonly id: string;
  readonly line: OutputLine;
  readonly expected: Omit<InspectedOutput, "id" | "detail">;
}

export interface LookAlike {
  readonly id: string;
  readonly line: OutputLine;
  /** Null if the output must be spared. */
  readonly signature: string | null;
}

function read<T>(name: string): T[] {
  const file = join(import.meta.dir, "..", "fixtures", "verify", name);
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Outputs of models and gateways, good and bad, with the verdict that people gave them. */
export const LABELLED_OUTPUTS: readonly LabelledOutput[] = read<LabelledOutput>(
  "outputs.jsonl",
  // Which language an answer should have is known to the canary only.
).filter(({ line }) => line.extra?.mode !== "canary");

/** Hits, and outputs that look like one, written beside each signature. */
export const LOOK_ALIKES: readonly LookAlike[] = read("look-alikes.jsonl");
