import type { JsonObject } from "../openai/fields.ts";

/** What Codex wants to know of a model that it has not heard of. */
export interface CodexModelFacts {
  readonly display_name: string;
  /** The system prompt of the agent; it takes the place of Codex's own, so that empty is no choice. */
  readonly base_instructions: string;
  /** Null if it is not known. */
  readonly context_window: number | null;
  /** From least to most; empty for a model that does not reason. */
  readonly efforts: readonly string[];
  readonly takes_images: boolean;
  /** Where it stands in Codex's list, the smallest first. */
  readonly priority: number;
}

/** Above this Codex cuts what its tools returned. */
const OUTPUT_TOKENS = 10_000;

/** An entry of `models` in `GET /v1/models`, for Codex. */
export function codexModel(id: string, facts: CodexModelFacts): JsonObject {
  const { display_name, base_instructions, context_window, efforts, takes_images } = facts;
  const standard = efforts.find((effort) => effort === "medium") ?? efforts[0];
  return {
    slug: id,
    display_name,
    base_instructions,
    supported_reasoning_levels: efforts.map((effort) => ({ effort, description: effort })),
    ...(standard !== undefined && { default_reasoning_level: standard }),
    shell_type: "shell_command",
    visibility: "list",
    supported_in_api: true,
    priority: facts.priority,
    support_verbosity: false,
    supports_parallel_tool_calls: true,
    apply_patch_tool_type: "freeform",
    truncation_policy: { mode: "tokens", limit: OUTPUT_TOKENS },
    experimental_supported_tools: [],
    input_modalities: takes_images ? ["text", "image"] : ["text"],
    ...(context_window !== null && { context_window }),
  };
}
