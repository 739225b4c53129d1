import { createMessageJoiner } from "../../anthropic/join-events.ts";
import { messageEvents } from "../../anthropic/message-events.ts";
import { joinChunks } from "../../openai/aggregate.ts";
import { answerChunks } from "../../openai/expand.ts";
import type { JsonObject } from "../../openai/fields.ts";
import { createEventDecoder, type DecodingOptions } from "./decode-events.ts";
import { createChunkEncoder, type EncodingOptions } from "./encode-chunks.ts";

/** A whole message as a chat completion: what its stream would come to. */
export function messageToCompletion(message: JsonObject, options: DecodingOptions): JsonObject {
  const decoder = createEventDecoder(options);
  return (
    joinChunks(
      messageEvents(message).flatMap((event) => decoder.read(event)),
      "chat",
    ) ?? {}
  );
}

/** A chat completion as a whole message; only its first choice has a place there. */
export function completionToMessage(completion: JsonObject, options: EncodingOptions): JsonObject {
  const { newId } = options;
  const encoder = createChunkEncoder(options);
  const joiner = createMessageJoiner();
  const chunks = answerChunks(completion, { dialect: "chat", include_usage: true, newId });
  for (const chunk of chunks) for (const event of encoder.push(chunk)) joiner.add(event);
  for (const event of encoder.end()) joiner.add(event);
  return joiner.body() ?? {};
}
