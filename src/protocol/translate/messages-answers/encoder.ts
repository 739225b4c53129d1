import { anthropicErrorFrame } from "../../anthropic/error-envelope.ts";
import { eventText } from "../../anthropic/event-text.ts";
import type { StreamEncoder } from "../translation.ts";
import { createChunkEncoder, type EncodingOptions } from "./encode-chunks.ts";

/** Writes chat chunks as a Messages stream. */
export function createMessagesEncoder(options: EncodingOptions): StreamEncoder {
  const encoder = createChunkEncoder(options);
  return {
    push: (chunk) => encoder.push(chunk).map(eventText).join(""),
    end: () => encoder.end().map(eventText).join(""),
    fail: (error) => anthropicErrorFrame(error),
  };
}
