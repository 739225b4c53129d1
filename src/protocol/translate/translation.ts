import type { ErrorCode } from "../error-codes.ts";
import type { ErrorDetails } from "../openai/error-envelope.ts";
import type { JsonObject } from "../openai/fields.ts";
import type { Frame } from "../sse/framer.ts";

/**
 * Dialects between which requests and answers are translated. Chat is the form in the middle: what
 * another dialect says beyond it travels in the extensions that vendors of chat use (`reasoning_content`,
 * `reasoning_details`, `cache_control`).
 */
export type TalkDialect = "chat" | "messages" | "responses";

/** A request in another dialect. */
export interface TranslatedRequest {
  readonly body: JsonObject;
  /** Members that found no room and were left out, by path such as `seed` or `tools.strict`. */
  readonly lossy: readonly string[];
  /** What only a target that speaks the request's own dialect can do; empty if the body will do. */
  readonly refused: readonly Untranslatable[];
}

export interface Untranslatable {
  /** The member of the client's body, such as `tools[2]`. */
  readonly param: string;
  /** What it is and what to change, as a sentence. */
  readonly message: string;
  /** The code to answer with where clients act on it; else `unsupported_parameter`. */
  readonly code?: ErrorCode;
}

/** Reads a stream of another dialect as chat chunks. */
export interface StreamDecoder {
  read(frame: Frame): Decoded;
}

export interface Decoded {
  /** Chat chunks, possibly none. */
  readonly chunks: readonly JsonObject[];
  /** The frame is the dialect's own proper end. */
  readonly is_done: boolean;
  /** An error's payload for the classifier: JSON or text; null if the frame tells of none. */
  readonly error: string | null;
}

/** Writes chat chunks as a stream of another dialect, in the order its clients need. */
export interface StreamEncoder {
  /** Frames for one chat chunk (usage and finish are held until `end`); empty if nothing is to be said yet. */
  push(chunk: JsonObject): string;
  /** What ends the stream properly; to be called once, after the last chunk. */
  end(): string;
  /** What ends it with an error instead, at any point, the very start included. */
  fail(error: StreamFailure): string;
}

/** Why a stream ends without its answer. */
export interface StreamFailure extends ErrorDetails {
  /** Milliseconds until another request may do better; null or left out if unknown. */
  readonly retry_after_ms?: number | null;
}
