/** The finish reasons that OpenAI's own clients know. */
const KNOWN = new Set(["stop", "length", "tool_calls", "content_filter", "function_call"]);

/** Reasons that say the answer failed; SDKs take them for success or retry for ever. */
const ERRORS = new Set(["error", "insufficient_system_resource", "abort", "ERROR", "TIMEOUT"]);

const MAPPED: Readonly<Record<string, string>> = {
  model_length: "length",
  max_tokens: "length",
  MAX_TOKENS: "length",
  SAFETY: "content_filter",
  RECITATION: "content_filter",
  BLOCKLIST: "content_filter",
  PROHIBITED_CONTENT: "content_filter",
  SPII: "content_filter",
  IMAGE_SAFETY: "content_filter",
  refusal: "content_filter",
  TOOL_CALL: "tool_calls",
  tool_use: "tool_calls",
};

export function isErrorFinish(reason: unknown): boolean {
  return typeof reason === "string" && ERRORS.has(reason);
}

/**
 * The finish reason that fits the dialect: vendors' own words mapped, unknown ones read as `stop`,
 * and `stop` after tool calls told as `tool_calls`, without which agents end their turn.
 */
export function repairFinish(reason: string, hasToolCalls: boolean): string {
  const known = KNOWN.has(reason) ? reason : (MAPPED[reason] ?? "stop");
  return known === "stop" && hasToolCalls ? "tool_calls" : known;
}
