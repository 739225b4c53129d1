import { arrayOf, isObject, type JsonObject, objectOf } from "./fields.ts";

/** Token counts; null where the upstream named none. */
export interface TokenUsage {
  /** All tokens of the prompt, those of the vendor's cache included. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** Output tokens spent on reasoning; left out where none are named. */
  readonly reasoning_tokens?: number;
  /** Input tokens read from the vendor's cache; left out where none are named. */
  readonly cached_input_tokens?: number;
  /** Input tokens written to it. */
  readonly cache_write_tokens?: number;
  /** What the vendor calls the cost of the call, in a unit that only it knows. */
  readonly cost?: number;
}

const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Usage of a chunk or an answer as its vendor wrote it, wherever that is; undefined if it has none. */
export function findUsage(body: JsonObject): JsonObject | undefined {
  if (isObject(body["usage"])) return body["usage"];
  const fromGroq = objectOf(body["x_groq"])["usage"];
  if (isObject(fromGroq)) return fromGroq;
  return arrayOf(body["choices"])
    .map((choice) => objectOf(choice)["usage"])
    .find(isObject);
}

/** Usage of a chunk or an answer; undefined if it has none. */
export function readUsage(body: JsonObject): TokenUsage | undefined {
  const found = findUsage(body);
  if (!found) return undefined;
  const cache = cacheOf(found);
  const input_tokens = count(found["prompt_tokens"]) ?? promptOf(found);
  const output_tokens = count(found["completion_tokens"] ?? found["output_tokens"]);
  const rest = (count(found["total_tokens"]) ?? 0) - (input_tokens ?? 0);
  // xAI and Gemini leave reasoning out of `completion_tokens`, not out of the total.
  const isShort = input_tokens !== null && output_tokens !== null && rest > output_tokens;
  return {
    input_tokens,
    output_tokens: isShort ? rest : output_tokens,
    ...reasoningOf(found),
    ...cache,
    ...costOf(found),
  };
}

function reasoningOf(usage: JsonObject): Pick<TokenUsage, "reasoning_tokens"> {
  const details = objectOf(usage["completion_tokens_details"] ?? usage["output_tokens_details"]);
  const reasoning_tokens = count(details["reasoning_tokens"]);
  return reasoning_tokens === null ? {} : { reasoning_tokens };
}

/** The whole prompt as Anthropic counts it: what went through the cache stands beside the rest. */
function promptOf(usage: JsonObject): number | null {
  const rest = count(usage["input_tokens"]);
  if (rest === null) return null;
  const read = count(usage["cache_read_input_tokens"]) ?? 0;
  return rest + read + (count(usage["cache_creation_input_tokens"]) ?? 0);
}

type CacheUsage = Pick<TokenUsage, "cached_input_tokens" | "cache_write_tokens">;

/** Cached tokens by any of the names in use: OpenAI's, DeepSeek's, Moonshot's, Anthropic's. */
function cacheOf(usage: JsonObject): CacheUsage {
  const details = objectOf(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
  const read =
    count(details["cached_tokens"]) ??
    count(usage["prompt_cache_hit_tokens"]) ??
    count(usage["cached_tokens"]) ??
    count(usage["cache_read_input_tokens"]);
  const written =
    count(details["cache_write_tokens"]) ?? count(usage["cache_creation_input_tokens"]);
  return {
    ...(read !== null && { cached_input_tokens: read }),
    ...(written !== null && { cache_write_tokens: written }),
  };
}

/** OpenRouter's `cost`, and what the call costs elsewhere where it used the caller's own key there. */
function costOf(usage: JsonObject): Pick<TokenUsage, "cost"> {
  const cost = usage["cost"];
  if (!isAmount(cost)) return {};
  const elsewhere = objectOf(usage["cost_details"])["upstream_inference_cost"];
  return { cost: usage["is_byok"] === true && isAmount(elsewhere) ? cost + elsewhere : cost };
}

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;
