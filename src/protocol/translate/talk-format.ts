import type { ClaudeVerdict } from "../anthropic/request/claude-facts.ts";
import type { JsonObject } from "../openai/fields.ts";
import type { ResponsesTools } from "../responses/response-tools.ts";
import type { OnLoss } from "./answer-loss.ts";
import type { ResumePoint } from "./responses-stream/response-events.ts";
import type { StreamDecoder, StreamEncoder, TranslatedRequest } from "./translation.ts";

/** Who is told a request. */
export interface Told {
  readonly model: string;
  /** What a model of Claude taught by its own 400s. */
  readonly verdict?: ClaudeVerdict | undefined;
  /** False where another model thought in earlier turns, which this one would refuse. */
  readonly keep_thinking?: boolean;
}

/** A client's request as a chat request. */
export interface ReadRequest extends TranslatedRequest {
  /** What it calls its tools, where a chat target is told other names. */
  readonly tools?: ResponsesTools;
}

/** A chat request as a request of the dialect. */
export interface WrittenRequest extends TranslatedRequest {
  /** Names of custom tools that the target was told of as functions with one text. */
  readonly custom_tools?: readonly string[];
}

/** What decoding makes up where an upstream leaves it out. */
export interface DecoderParts {
  /** Unique to the answer; ids are made of it. */
  readonly seed: string;
  /** Where the upstream names none. */
  readonly model: string;
  /** Epoch ms. */
  readonly created_at: number;
  /** Makes an id for a tool call that came without one. */
  readonly newId: () => string;
  /** Told the name of what the dialect has no room for, such as `audio`. */
  readonly onLoss: OnLoss;
}

/** What a written answer is known by. */
export interface AnswerIdentity extends DecoderParts {
  /** The client's body, parts of which an answer repeats. */
  readonly request: JsonObject;
  readonly tools: ResponsesTools;
}

/** How a dialect other than chat is read and written. All of it is pure. */
export interface TalkFormat {
  readonly requestToChat: (body: JsonObject) => ReadRequest;
  readonly requestFromChat: (body: JsonObject, told: Told) => WrittenRequest;
  readonly createDecoder: (parts: DecoderParts) => StreamDecoder;
  /** `resume` is where a stream that was passed through stopped, for what is left to be said. */
  readonly createEncoder: (about: AnswerIdentity, resume?: ResumePoint) => StreamEncoder;
  /** A whole answer as a chat completion. */
  readonly answerToChat: (body: JsonObject, parts: DecoderParts) => JsonObject;
  readonly answerFromChat: (completion: JsonObject, about: AnswerIdentity) => JsonObject;
}
