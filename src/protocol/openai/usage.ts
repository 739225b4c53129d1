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
  const input_tokens = count(found["prompt_tokens"]) ?? promptOf(found);
  const output_tokens = count(found["completion_tokens"] ?? found["output_tokens"]);
  const rest = (count(found["total_tokens"]) ?? 0) - (input_tokens ?? 0);
  // xAI and Gemini leave reasoning out of `completion_tokens`, not out of the total.
  const isShort = input_tokens !== null && output_tokens !== null && rest > output_tokens;
  const usage: Mutable<TokenUsage> = {
    input_tokens,
    output_tokens: isShort ? rest : output_tokens,
  };
  addReasoning(usage, found);
  addCache(usage, found);
  addCost(usage, found);
  return usage;
}

/** Most answers name none of what follows, and then have no member for it. */
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function addReasoning(usage: Mutable<TokenUsage>, found: JsonObject): void {
  const details = objectOf(found["completion_tokens_details"] ?? found["output_tokens_details"]);
  const reasoning = count(details["reasoning_tokens"]);
  if (reasoning !== null) usage.reasoning_tokens = reasoning;
}

/** The whole prompt as Anthropic counts it: what went through the cache stands beside the rest. */
function promptOf(usage: JsonObject): number | null {
  const rest = count(usage["input_tokens"]);
  if (rest === null) return null;
  const read = count(usage["cache_read_input_tokens"]) ?? 0;
  return rest + read + (count(usage["cache_creation_input_tokens"]) ?? 0);
}

/** Cached tokens by any of the names in use: OpenAI's, DeepSeek's, Moonshot's, Anthropic's. */
function addCache(usage: Mutable<TokenUsage>, found: JsonObject): void {
  const details = objectOf(found["prompt_tokens_details"] ?? found["input_tokens_details"]);
  const read =
    count(details["cached_tokens"]) ??
    count(found["prompt_cache_hit_tokens"]) ??
    count(found["cached_tokens"]) ??
    count(found["cache_read_input_tokens"]);
  const written =
    count(details["cache_write_tokens"]) ?? count(found["cache_creation_input_tokens"]);
  if (read !== null) usage.cached_input_tokens = read;
  if (written !== null) usage.cache_write_tokens = written;
}

/** OpenRouter's `cost`, and what the call costs elsewhere where it used the caller's own key there. */
function addCost(usage: Mutable<TokenUsage>, found: JsonObject): void {
  const { cost } = found;
  if (!isAmount(cost)) return;
  const elsewhere = objectOf(found["cost_details"])["upstream_inference_cost"];
  usage.cost = found["is_byok"] === true && isAmount(elsewhere) ? cost + elsewhere : cost;
}

const isAmount = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0;
