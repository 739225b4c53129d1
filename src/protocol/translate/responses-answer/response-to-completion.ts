import { joinChunks } from "../../openai/aggregate.ts";
import type { JsonObject } from "../../openai/fields.ts";
import { type ChunkParts, createChatChunks } from "../responses-stream/chat-chunks.ts";

/** A whole response as a chat completion; one that failed must have been told apart before. */
export function responseToCompletion(response: JsonObject, parts: ChunkParts): JsonObject {
  const chunks = createChatChunks(parts)("response.completed", { response });
  return joinChunks(chunks, "chat") ?? { choices: [] };
}
