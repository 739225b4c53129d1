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
  const [choice] = arrayOf(body["choices"]);
  const found = [body["usage"], objectOf(body["x_groq"])["usage"], objectOf(choice)["usage"]].find(
    isObject,
  );
  if (!found) return undefined;
  return {
    input_tokens: count(found["prompt_tokens"] ?? found["input_tokens"]),
    output_tokens: count(found["completion_tokens"] ?? found["output_tokens"]),
  };
}
