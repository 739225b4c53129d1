import { type JsonObject, objectOf } from "../openai/fields.ts";
import { readUsage, type TokenUsage } from "../openai/usage.ts";

/** Anthropic's counts as the router reads every vendor's; null if there are none. */
export function readMessagesUsage(usage: JsonObject): TokenUsage | null {
  const read = readUsage({ usage });
  if (!read) return null;
  const thinking = objectOf(usage["output_tokens_details"])["thinking_tokens"];
  return typeof thinking === "number" ? { ...read, reasoning_tokens: thinking } : read;
}

/** Anthropic's counts in the words of chat, where the prompt includes what went through the cache. */
export function chatUsage(usage: JsonObject): JsonObject | undefined {
  const read = readMessagesUsage(usage);
  if (read === null || (read.input_tokens === null && read.output_tokens === null))
    return undefined;
  const { input_tokens, output_tokens, reasoning_tokens } = read;
  const prompt = input_tokens ?? 0;
  const completion = output_tokens ?? 0;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: {
      cached_tokens: read.cached_input_tokens ?? 0,
      cache_write_tokens: read.cache_write_tokens ?? 0,
    },
    ...(reasoning_tokens !== undefined && { completion_tokens_details: { reasoning_tokens } }),
  };
}

/** Counts as Messages tells them, where the cache stands beside the rest; `output_tokens` is always there. */
export function messagesUsage(usage: TokenUsage | null): JsonObject {
  const read = usage?.cached_input_tokens ?? 0;
  const written = usage?.cache_write_tokens ?? 0;
  const reasoning = usage?.reasoning_tokens;
  return {
    input_tokens: Math.max(0, (usage?.input_tokens ?? 0) - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: usage?.output_tokens ?? 0,
    ...(reasoning !== undefined && { output_tokens_details: { thinking_tokens: reasoning } }),
  };
}
