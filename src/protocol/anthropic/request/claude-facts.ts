/** From cheap to thorough; `minimal` of other vendors is below `low`. */
export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

export type ClaudeEffort = (typeof EFFORTS)[number];

/**
 * How a model is told not to think: `absent` is one that never does and takes no `thinking` at all,
 * `never` one that cannot be stopped. The two others besides `disabled` hold up to effort `high` only.
 */
export type ThinkingOff = "absent" | "disabled" | "disabled_to_high" | "between_tools" | "never";

/** What one model takes in a Messages request; everything else it answers with 400. */
export interface ClaudeFacts {
  readonly max_output_tokens: number;
  /** `max_tokens` for a client that named no cap of its own. */
  readonly default_max_tokens: number;
  /** `thinking` of type `enabled` with `budget_tokens`. */
  readonly budget: boolean;
  /** `thinking` of type `adaptive`. */
  readonly adaptive: boolean;
  readonly off: ThinkingOff;
  /** Thinks where nothing is said, and what it thinks counts against `max_tokens`. */
  readonly thinks_by_default: boolean;
  /** Rungs of `output_config.effort`; empty where the member is refused. */
  readonly efforts: readonly ClaudeEffort[];
  /** `tool_choice` of type `any` or `tool`. */
  readonly forced_tool: boolean;
  /** `temperature`, `top_p`, `top_k`. */
  readonly sampling: boolean;
  /** A last turn of the assistant, which the model then continues. */
  readonly prefill: boolean;
  /** `output_config.format`. */
  readonly json_schema: boolean;
  /** Turns of role `system` within the conversation. */
  readonly system_turns: boolean;
}

/** What a model's own 400 taught of it; beats the table, to be kept per model id. */
export type ClaudeVerdict = Partial<
  Pick<ClaudeFacts, "budget" | "adaptive" | "off" | "efforts" | "forced_tool" | "sampling">
>;
