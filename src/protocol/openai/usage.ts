import { arrayOf, isObject, type JsonObject, objectOf } from "./fields.ts";

/** Token counts; null where the upstream named none. */
export interface TokenUsage {
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

const count = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;

/** Usage of a chunk or an answer, wherever its vendor puts it; undefined if it has none. */
export function readUsage(body: JsonObject): TokenUsage | undefined {
  const found = [
    body["usage"],
    objectOf(body["x_groq"])["usage"],
    ...arrayOf(body["choices"]).map((choice) => objectOf(choice)["usage"]),
  ].find(isObject);
  if (!found) return undefined;
  const input_tokens = count(found["prompt_tokens"] ?? found["input_tokens"]);
  const output_tokens = count(found["completion_tokens"] ?? found["output_tokens"]);
  const rest = (count(found["total_tokens"]) ?? 0) - (input_tokens ?? 0);
  // xAI and Gemini leave reasoning out of `completion_tokens`, not out of the total.
  const isShort = input_tokens !== null && output_tokens !== null && rest > output_tokens;
  return { input_tokens, output_tokens: isShort ? rest : output_tokens };
}
