import { isContextFull, repairFinish } from "../protocol/openai/finish-reason.ts";

/** What explains, or does not, that an answer says nothing. */
interface SilenceFacts {
  /** As the upstream spelled it; null if it named none. */
  readonly finish: string | null;
  /** It showed reasoning outside of its text. */
  readonly has_reasoning: boolean;
  readonly output_tokens: number | null;
  readonly reasoning_tokens: number | null;
  /** The client's own cap on output tokens; null if it set none. */
  readonly max_tokens: number | null;
  /** The last message of the request is a tool result, after which a model may rightly say nothing. */
  readonly is_after_tool_result: boolean;
}

export type Silence = "faulty" | "reasoning_only" | "capped" | "filtered" | "after_tool_result";

/** Share of the client's cap from which on the cap explains that nothing was said. */
const CAPPED_RATIO = 0.9;
const CAPPED_BY_REASONING_RATIO = 0.8;

/** Why a finished answer has no visible text. `faulty` and `reasoning_only` are the target's fault. */
export function explainSilence(facts: SilenceFacts): Silence {
  const finish = facts.finish === null ? null : repairFinish(facts.finish, null);
  if (finish === "content_filter") return "filtered";
  if (facts.is_after_tool_result && (facts.output_tokens ?? 0) > 0) return "after_tool_result";
  if (facts.max_tokens !== null && facts.max_tokens <= 1) return "capped";
  if (finish === "length") return isCapped(facts) ? "capped" : "faulty";
  return hasReasoned(facts) ? "reasoning_only" : "faulty";
}

function hasReasoned({ has_reasoning, reasoning_tokens }: SilenceFacts): boolean {
  return has_reasoning || (reasoning_tokens ?? 0) > 0;
}

/** The cap is to blame if nearly all of it was used, or nobody counted; not if it is far away. */
function isCapped(facts: SilenceFacts): boolean {
  const { has_reasoning, output_tokens, reasoning_tokens, max_tokens } = facts;
  // The window was full before the cap was near.
  if (has_reasoning || isContextFull(facts.finish)) return has_reasoning;
  if (output_tokens === null && reasoning_tokens === null) return true;
  const reasoned = reasoning_tokens ?? 0;
  if (max_tokens === null) return reasoned > 0;
  return (
    (output_tokens ?? 0) >= CAPPED_RATIO * max_tokens ||
    reasoned >= CAPPED_BY_REASONING_RATIO * max_tokens
  );
}
