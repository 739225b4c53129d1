import { anthropicErrorFrame } from "../protocol/anthropic/error-envelope.ts";
import { createMessagesReader } from "../protocol/anthropic/stream/reader.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { createCallIds } from "../protocol/openai/call-ids.ts";
import type { ChunkOptions } from "../protocol/openai/stream/chunks.ts";
import { withCustomCalls } from "../protocol/translate/custom-calls.ts";
import { FORMATS } from "../protocol/translate/formats.ts";
import {
  type AnswerReader,
  passResponses,
  readDecoded,
  readSame,
  watchDecoded,
  writeEncoded,
} from "../protocol/translate/stream-reader.ts";
import type { Run } from "./run.ts";

export type OnText = NonNullable<ChunkOptions["onText"]>;

type Listeners = Pick<ChunkOptions, "onText" | "onHost">;

/** Reads a stream that came in the dialect `wire` as its client is to get it. */
export function answerReader(run: Run, wire: Dialect, listeners: Listeners): AnswerReader {
  const { dialect } = run.request;
  const isChat = dialect === "chat" || dialect === "completions";
  const options: ChunkOptions = {
    dialect: wire === "completions" ? wire : "chat",
    // Written in other dialects the usage has a place of its own.
    drop_usage: isChat && !run.wants_usage,
    newId: createCallIds(run.entry.id),
    onEdit: (edit) => run.entry.edit(edit),
    ...listeners,
  };
  if (wire === "messages" || wire === "responses") {
    return wire === dialect
      ? ownReader(run, wire, options)
      : writtenFor(run, decoded(run, wire, options));
  }
  return writtenFor(run, readSame(options));
}

/** A stream in the client's own dialect: nothing of it is lost, and little is edited. */
function ownReader(
  { egress }: Run,
  wire: "messages" | "responses",
  options: ChunkOptions,
): AnswerReader {
  const parts = egress.identity();
  if (wire === "messages") {
    const reader = createMessagesReader({ ...options, id: parts.seed, model: parts.model });
    return { ...reader, passes: null, fail: anthropicErrorFrame };
  }
  const decoder = FORMATS.responses.createDecoder({ ...parts, onLoss: ignore });
  const read = watchDecoded(decoder, { ...options, onEdit: ignore });
  return passResponses(read, (point) => egress.createEncoder(point));
}

const ignore = () => undefined;

function decoded(
  { egress, sent }: Run,
  wire: "messages" | "responses",
  options: ChunkOptions,
): AnswerReader {
  const decoder = FORMATS[wire].createDecoder(egress.identity());
  const names = sent?.custom_tools ?? new Set<string>();
  return readDecoded(names.size > 0 ? withCustomCalls(decoder, names) : decoder, options);
}

/** A chat stream as the client is to get it. */
function writtenFor({ request, egress }: Run, chat: AnswerReader): AnswerReader {
  const isWritten = request.dialect === "messages" || request.dialect === "responses";
  return isWritten ? writeEncoded(chat, egress.createEncoder()) : chat;
}
