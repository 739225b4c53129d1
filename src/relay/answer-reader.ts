import { anthropicErrorFrame } from "../protocol/anthropic/error-envelope.ts";
import { createMessagesReader } from "../protocol/anthropic/stream/reader.ts";
import { type Dialect, isTalk } from "../protocol/dialect.ts";
import type { ChunkOptions } from "../protocol/openai/stream/chunks.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import {
  type AnswerReader,
  passResponses,
  readDecoded,
  readSame,
  writeEncoded,
} from "../protocol/translate/stream-reader.ts";
import type { Run } from "./run.ts";

export type OnText = NonNullable<ChunkOptions["onText"]>;

/** Reads a stream that came in the dialect `wire` as its client is to get it. */
export function answerReader(run: Run, wire: Dialect, onText: OnText | null): AnswerReader {
  const { dialect } = run.request;
  const isChat = dialect === "chat" || dialect === "completions";
  const parts = run.egress.identity();
  const options: ChunkOptions = {
    dialect: wire === "completions" ? wire : "chat",
    // Written in other dialects the usage has a place of its own.
    drop_usage: isChat && !run.wants_usage,
    newId: parts.newId,
    onEdit: (edit) => run.entry.edit(edit),
    ...(onText && { onText }),
  };
  if (wire === dialect && wire === "messages") {
    const reader = createMessagesReader({ ...options, id: parts.seed, model: parts.model });
    return { ...reader, fail: anthropicErrorFrame };
  }
  if (wire === dialect && wire === "responses") {
    // What is only read loses nothing, and is not edited either.
    const ignore = () => undefined;
    const decoder = FORMATS.responses.createDecoder({ ...parts, onLoss: ignore });
    const read = readDecoded(decoder, { ...options, onEdit: ignore });
    return passResponses(read, run.egress.createEncoder);
  }
  const chat =
    wire === "messages" || wire === "responses"
      ? readDecoded(FORMATS[wire].createDecoder(parts), options)
      : readSame(options);
  if (isChat || !isTalk(dialect)) return chat;
  return writeEncoded(chat, run.egress.createEncoder());
}
