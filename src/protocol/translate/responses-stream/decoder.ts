import {
  arrayOf,
  isFilledText,
  isObject,
  type JsonObject,
  objectOf,
  parseJson,
} from "../../openai/fields.ts";
import type { Frame } from "../../sse/framer.ts";
import { frameBytes } from "../../sse/payload.ts";
import type { Decoded, StreamDecoder } from "../translation.ts";
import { type ChunkParts, createChatChunks } from "./chat-chunks.ts";

/**
 * Reads a Responses stream as chat chunks. It is done with `response.completed` or
 * `response.incomplete`; a stream that ends without either was cut.
 */
export function createResponsesDecoder(parts: ChunkParts): StreamDecoder {
  const chunksOf = createChatChunks(parts);
  return {
    read({ event: name, data }: Frame): Decoded {
      if (data === undefined || data.trim() === "[DONE]") return NOTHING;
      const event: unknown = parseJson(data);
      if (!isObject(event)) return name === "error" ? failed(errorText(data)) : NOTHING;
      const type = isFilledText(event["type"]) ? event["type"] : (name ?? "");
      if (isError(type, event)) return failed(data);
      const is_done = type === "response.completed" || type === "response.incomplete";
      return { chunks: chunksOf(type, event), is_done, error: null };
    },
  };
}

const NOTHING: Decoded = { chunks: [], is_done: false, error: null };

const failed = (error: string): Decoded => ({ chunks: [], is_done: false, error });

/** Plain text is told from an answer's by the event's name alone. */
function errorText(data: string): string {
  return new TextDecoder().decode(frameBytes("error", data));
}

/** Gateways in between write errors of their own: without a type, or as chat does. */
function isError(type: string, { error, response }: JsonObject): boolean {
  const { status, error: inner } = objectOf(response);
  if (type === "error" || type === "response.failed" || status === "failed") return true;
  return [error, inner].some(
    (value) =>
      isFilledText(value) || Object.keys(objectOf(value)).length > 0 || arrayOf(value).length > 0,
  );
}
