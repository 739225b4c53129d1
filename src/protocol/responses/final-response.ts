import { arrayOf, isObject, type JsonObject, objectOf, parseJson } from "../openai/fields.ts";
import type { Frame } from "../sse/framer.ts";

const ENDINGS: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete"]);

/**
 * The response that a stream came to, as its provider wrote it; null if the stream did not end properly.
 * Where the end leaves the output out, it is what was said to be done.
 */
export function finalResponse(frames: readonly Frame[]): JsonObject | null {
  const done = new Map<unknown, unknown>();
  for (const { data } of frames) {
    const event = objectOf(parseJson(data ?? ""));
    const { type, response, output_index: index, item } = event;
    if (type === "response.output_item.done" && isObject(item)) done.set(index, item);
    if (!ENDINGS.has(type) || !isObject(response)) continue;
    const isTold = arrayOf(response["output"]).length > 0;
    return isTold ? response : { ...response, output: [...done.values()] };
  }
  return null;
}
