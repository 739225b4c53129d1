import type { ContentFacts } from "../protocol/openai/content.ts";

/** What decides whether an answer without visible text is at fault. */
interface EmptyInput {
  readonly content: ContentFacts;
  readonly finish: string | null;
  readonly output_tokens: number | null;
  /** The client's own cap on output tokens; null if it set none. */
  readonly max_tokens: number | null;
  /** The last message of the request is a tool result, after which a model may rightly say nothing. */
  readonly is_after_tool_result: boolean;
}

export type EmptyVerdict = "has_content" | "empty" | "excused";

/**
 * Judges a finished answer by what it carried. `empty` is the provider's fault; `excused` has nothing
 * to show for a reason: filtered, capped by the client, out of room while reasoning, or silent after
 * a tool result it spent tokens on.
 */
export function judgeEmpty(input: EmptyInput): EmptyVerdict {
  const { content, finish, output_tokens, is_after_tool_result } = input;
  if (content.text || content.tool_calls || content.refusal || content.audio) return "has_content";
  if (finish === "content_filter") return "excused";
  if (finish === "length" && (content.reasoning || isCapped(input))) return "excused";
  if (is_after_tool_result && (output_tokens ?? 0) > 0) return "excused";
  return "empty";
}

/** The client's cap is to blame if nearly all of it was used, or nobody counted. */
function isCapped({ output_tokens, max_tokens }: EmptyInput): boolean {
  if (max_tokens === null) return false;
  return max_tokens <= 1 || output_tokens === null || output_tokens >= 0.9 * max_tokens;
}
