import type { ContentFacts } from "../protocol/openai/content.ts";
import { isContextFull, repairFinish } from "../protocol/openai/finish-reason.ts";

/** What decides whether an answer without visible text is at fault. */
interface EmptyInput {
  readonly content: ContentFacts;
  /** As the upstream spelled it; null if it named none. */
  readonly finish: string | null;
  readonly output_tokens: number | null;
  /** The client's own cap on output tokens; null if it set none. */
  readonly max_tokens: number | null;
  /** The last message of the request is a tool result, after which a model may rightly say nothing. */
  readonly is_after_tool_result: boolean;
}

export type EmptyVerdict = "has_content" | "empty" | "excused";

/** Share of the client's cap from which on the cap explains that nothing was said. */
const CAPPED_RATIO = 0.9;

/**
 * Judges a finished answer by what it carried. `empty` is the provider's fault; `excused` has nothing
 * to show for a reason: filtered, capped by the client, out of room while reasoning, or silent after
 * a tool result it spent tokens on.
 */
export function judgeEmpty(input: EmptyInput): EmptyVerdict {
  const { text, tool_calls, refusal, media } = input.content;
  if (text || tool_calls || refusal || media) return "has_content";
  const finish = input.finish === null ? null : repairFinish(input.finish, null);
  return isExcused(input, finish) ? "excused" : "empty";
}

function isExcused(input: EmptyInput, finish: string | null): boolean {
  if (finish === "content_filter") return true;
  if (finish === "length" && input.content.reasoning) return true;
  if (input.is_after_tool_result && (input.output_tokens ?? 0) > 0) return true;
  return isCapped(input, finish);
}

/** The client's cap is to blame if nearly all of it was used, or nobody counted. */
function isCapped(input: EmptyInput, finish: string | null): boolean {
  const { output_tokens, max_tokens } = input;
  if (max_tokens === null || isContextFull(input.finish)) return false;
  if (max_tokens <= 1) return true;
  if (finish !== "length") return false;
  return output_tokens === null || output_tokens >= CAPPED_RATIO * max_tokens;
}
