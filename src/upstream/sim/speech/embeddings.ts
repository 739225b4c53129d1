import type { JsonObject } from "../../../protocol/openai/fields.ts";
import { totalTokens } from "../ask.ts";
import { hashText, seededRandom } from "../draws.ts";
import { BadMember, type Read, reading, readTexts, wholeNumber } from "../reading.ts";

export interface EmbeddingsAsk {
  readonly texts: readonly string[];
  readonly dimensions: number;
  readonly base64: boolean;
}

const DIMENSIONS = 256;
const MAX_DIMENSIONS = 4096;
const MAX_NUMBERS = 4_000_000;

export function readEmbeddingsAsk(body: JsonObject): Read<EmbeddingsAsk> {
  return reading(() => {
    const format = body["encoding_format"] ?? "float";
    if (format !== "float" && format !== "base64") {
      throw new BadMember("encoding_format", "`encoding_format` must be `float` or `base64`.");
    }
    const texts = readTexts(body["input"], "input");
    const dimensions = wholeNumber(body["dimensions"], "dimensions", {
      max: MAX_DIMENSIONS,
      fallback: DIMENSIONS,
    });
    if (texts.length * dimensions > MAX_NUMBERS) {
      throw new BadMember("input", `One request gets at most ${MAX_NUMBERS} numbers in all.`);
    }
    return { texts, dimensions, base64: format === "base64" };
  });
}

/** The answer for `ask`; with `empty` its list holds nothing. */
export function embeddingsAnswer(ask: EmbeddingsAsk, model: string, empty: boolean): JsonObject {
  const tokens = totalTokens(ask.texts);
  const entry = (text: string, index: number) => {
    const vector = unitVector(text, ask.dimensions);
    const embedding = ask.base64
      ? Buffer.from(vector.buffer).toString("base64")
      : Array.from(vector);
    return { object: "embedding", index, embedding };
  };
  return {
    object: "list",
    data: empty ? [] : ask.texts.map(entry),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** A direction that depends only on `text`; the same for fewer dimensions up to the scale. */
function unitVector(text: string, dimensions: number): Float32Array<ArrayBuffer> {
  const random = seededRandom(hashText(text));
  const values = Array.from({ length: dimensions }, () => random() * 2 - 1);
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}
