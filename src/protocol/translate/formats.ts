import type { ResponseContext } from "../responses/response-object.ts";
import type { DecodingOptions } from "./messages-answers/decode-events.ts";
import { createMessagesDecoder } from "./messages-answers/decoder.ts";
import type { EncodingOptions } from "./messages-answers/encode-chunks.ts";
import { createMessagesEncoder } from "./messages-answers/encoder.ts";
import { completionToMessage, messageToCompletion } from "./messages-answers/whole.ts";
import { chatToMessages } from "./messages/chat-to-messages.ts";
import { messagesToChat } from "./messages/messages-to-chat.ts";
import { completionToResponse } from "./responses-answer/completion-to-response.ts";
import { responseToCompletion } from "./responses-answer/response-to-completion.ts";
import { chatToResponses } from "./responses-request/from-chat.ts";
import { responsesToChat } from "./responses-request/to-chat.ts";
import type { ChunkParts } from "./responses-stream/chat-chunks.ts";
import { createResponsesDecoder } from "./responses-stream/decoder.ts";
import { createResponsesEncoder } from "./responses-stream/encoder.ts";
import type { AnswerIdentity, DecoderParts, TalkFormat } from "./talk-format.ts";
import type { TalkDialect } from "./translation.ts";

const MESSAGES: TalkFormat = {
  requestToChat: messagesToChat,
  requestFromChat: chatToMessages,
  createDecoder: (parts) => createMessagesDecoder(decoding(parts)),
  createEncoder: (about) => createMessagesEncoder(message(about)),
  answerToChat: (body, parts) => messageToCompletion(body, decoding(parts)),
  answerFromChat: (completion, about) => completionToMessage(completion, message(about)),
};

const RESPONSES: TalkFormat = {
  requestToChat: responsesToChat,
  requestFromChat: chatToResponses,
  createDecoder: (parts) => createResponsesDecoder(chunkParts(parts)),
  createEncoder: (about, resume) => createResponsesEncoder(response(about), resume),
  answerToChat: (body, parts) => responseToCompletion(body, chunkParts(parts)),
  answerFromChat: (completion, about) => completionToResponse(completion, response(about)),
};

/** How the dialects other than chat are read and written. */
export const FORMATS: Readonly<Record<Exclude<TalkDialect, "chat">, TalkFormat>> = {
  messages: MESSAGES,
  responses: RESPONSES,
};

/** Ids hold letters and digits only. */
const plain = (seed: string): string => seed.replaceAll("-", "");

function decoding({ seed, created_at, newId, onLoss, model }: DecoderParts): DecodingOptions {
  const created = Math.floor(created_at / 1000);
  return { id: `chatcmpl-${plain(seed)}`, model, created, newId, onLoss };
}

function message({ seed, newId, onLoss, model }: AnswerIdentity): EncodingOptions {
  return { id: `msg_${plain(seed)}`, model, newId, onLoss };
}

function chunkParts({ seed, ...parts }: DecoderParts): ChunkParts {
  return { ...parts, seed: plain(seed) };
}

function response(about: AnswerIdentity): ResponseContext {
  const { seed, created_at, request, tools, onLoss } = about;
  return { id: `resp_${plain(seed)}`, created_at, request, tools, onLoss };
}
