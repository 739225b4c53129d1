import { isObject, type JsonObject, objectOf } from "../openai/fields.ts";
import { readUsage } from "../openai/usage.ts";

/** Members that the Responses form spells in its own way; anything else, such as a price, stays as it is. */
const RESPONSES_MEMBERS = new Set([
  "input_tokens",
  "input_tokens_details",
  "output_tokens",
  "output_tokens_details",
  "total_tokens",
]);

/** What a chat chunk or answer used, as a response tells it; undefined if it tells of nothing. */
export function responsesUsage(body: JsonObject): JsonObject | undefined {
  const usage = readUsage(body);
  if (!usage) return undefined;
  const { input_tokens, output_tokens, cost } = usage;
  const input = input_tokens ?? 0;
  const output = output_tokens ?? 0;
  const written = usage.cache_write_tokens;
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cached_input_tokens ?? 0,
      ...(written !== undefined && { cache_write_tokens: written }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoning_tokens ?? 0 },
    total_tokens: input + output,
    ...(cost !== undefined && { cost }),
  };
}

/** A response's usage as chat tells it; undefined if it is none. */
export function chatUsage(usage: unknown): JsonObject | undefined {
  if (!isObject(usage)) return undefined;
  const input = objectOf(usage["input_tokens_details"]);
  const output = objectOf(usage["output_tokens_details"]);
  const others = Object.entries(usage).filter(([name]) => !RESPONSES_MEMBERS.has(name));
  return {
    prompt_tokens: usage["input_tokens"] ?? 0,
    completion_tokens: usage["output_tokens"] ?? 0,
    total_tokens: usage["total_tokens"] ?? sum(usage["input_tokens"], usage["output_tokens"]),
    prompt_tokens_details: input,
    completion_tokens_details: output,
    ...Object.fromEntries(others),
  };
}

function sum(...counts: readonly unknown[]): number {
  const known = counts.filter((count) => typeof count === "number");
  return known.reduce((total, count) => total + count, 0);
}
