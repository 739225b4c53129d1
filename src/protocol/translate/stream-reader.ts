import { detached } from "../../lib/detached.ts";
import { joinBytes } from "../json/edit.ts";
import { openAiErrorFrame } from "../openai/error-frame.ts";
import { isObject, objectOf, parseJson } from "../openai/fields.ts";
import { createStreamReader, type Step } from "../openai/stream.ts";
import type { ChunkOptions } from "../openai/stream/chunks.ts";
import { createFramer, type Frame, type Passes } from "../sse/framer.ts";
import { closedFrame, frameBytes, lastFrame } from "../sse/payload.ts";
import type { ResumePoint } from "./responses-stream/response-events.ts";
import type { StreamDecoder, StreamEncoder, StreamFailure } from "./translation.ts";

type ChatReader = ReturnType<typeof createStreamReader>;

/** Follows a stream of any dialect frame by frame, and gives what its client is to get of it. */
export interface AnswerReader extends Pick<ChatReader, "facts" | "choices"> {
  read(frame: Frame): Step;
  /** Takes in what may go on as it came without being cut into frames; null where nothing may. */
  readonly passes: Passes | null;
  /** What still has to be said where the upstream closed after a finish; possibly nothing. */
  close(): Uint8Array;
  /** What ends the client's stream with an error instead, at any point. */
  fail(failure: StreamFailure): string;
}

const encoder = new TextEncoder();
const NOTHING = new Uint8Array();
const DONE = encoder.encode("data: [DONE]\n\n");

/** A stream in the client's own dialect, chat or completions. */
export function readSame(options: ChunkOptions): AnswerReader {
  return { ...createStreamReader(options), close: () => NOTHING, fail: openAiErrorFrame };
}

/** The frames of another dialect's stream as those of the chat stream of the same meaning. */
export function decodedFrames(decoder: StreamDecoder, frames: readonly Frame[]): readonly Frame[] {
  return frames.flatMap((frame) => {
    const { chunks, is_done, error } = decoder.read(frame);
    const payloads = chunks.map((chunk) => JSON.stringify(chunk));
    const told = [...payloads, ...(is_done ? ["[DONE]"] : [])].map((data) => frameOf(data));
    return error === null ? told : [...told, frameOf(error, "error")];
  });
}

/** A stream of another dialect as the chat stream of the same meaning. */
export function readDecoded(decoder: StreamDecoder, options: ChunkOptions): AnswerReader {
  const chat = createStreamReader(options);
  return {
    facts: chat.facts,
    choices: chat.choices,
    passes: null,
    close: () => DONE,
    fail: openAiErrorFrame,
    read(frame) {
      if (frame.data === undefined) return chat.read(frame);
      const { chunks, is_done, error } = decoder.read(frame);
      if (error !== null) return { ...SILENT, error };
      const payloads = chunks.map((chunk) => JSON.stringify(chunk));
      const told = is_done ? [...payloads, "[DONE]"] : payloads;
      const steps = told.map((data) => chat.read(frameOf(data)));
      return {
        out: joinBytes(steps.map(({ out }) => out)),
        is_content: steps.some(({ is_content }) => is_content),
        is_done,
        error: steps.find((step) => step.error !== null)?.error ?? null,
      };
    },
  };
}

/**
 * What a stream of another dialect says, in terms of chat, for a client that gets it as it came: nothing
 * is written.
 */
export function watchDecoded(decoder: StreamDecoder, options: ChunkOptions): AnswerReader {
  const chat = createStreamReader(options);
  return {
    facts: chat.facts,
    choices: chat.choices,
    passes: null,
    close: () => NOTHING,
    fail: openAiErrorFrame,
    read(frame) {
      if (frame.data === undefined) return chat.read(frame);
      const { chunks, is_done, error } = decoder.read(frame);
      if (error !== null) return { ...SILENT, error };
      const steps = chunks.map((chunk) => chat.watch(chunk));
      return {
        out: NOTHING,
        is_content: steps.some(({ is_content }) => is_content),
        is_done,
        error: steps.find((step) => step.error !== null)?.error ?? null,
      };
    },
  };
}

const SILENT: Step = { out: NOTHING, is_content: false, is_done: false, error: null };

function frameOf(data: string, event?: string): Frame {
  return { raw: frameBytes(event, data), event, data, terminated: true };
}

/** A Responses stream for a client that speaks it: every frame goes on as it came. */
export function passResponses(chat: AnswerReader, resume: Resume): AnswerReader {
  const passed = passThrough(chat);
  let first: string | undefined;
  let latest: string | undefined;
  return {
    ...passed,
    fail: (failure) => resume(resumePoint(first, latest)).fail(failure),
    read(frame) {
      const step = passed.read(frame);
      if (step.error !== null || frame.data === undefined) return step;
      first ??= detached(frame.data);
      latest = frame.data;
      return step;
    },
  };
}

/** Writes on where a stream that was passed through stopped. */
type Resume = (point: ResumePoint) => StreamEncoder;

/** Read only where it is needed: few streams fail. */
function resumePoint(first: string | undefined, latest: string | undefined): ResumePoint {
  const { response } = objectOf(parseJson(first ?? ""));
  const { id } = objectOf(response);
  const { sequence_number: number } = objectOf(parseJson(latest ?? ""));
  return {
    sequence_number: typeof number === "number" ? number : null,
    response_id: typeof id === "string" ? id : null,
  };
}

/** `chat` reads the same frames, for what they say. */
function passThrough(chat: AnswerReader): AnswerReader {
  return {
    ...chat,
    read(frame) {
      const step = chat.read(frame);
      if (step.error !== null) return { ...step, out: NOTHING };
      const whole = closedFrame(frame, isLost(frame) ? NOTHING : frame.raw);
      return { ...step, out: step.is_done ? lastFrame(whole) : whole };
    },
  };
}

/** The connection cut it: what it would have said is not known, and nobody can read the rest. */
function isLost({ terminated, data }: Frame): boolean {
  return !terminated && (data === undefined || !isObject(parseJson(data)));
}

/** A chat stream written in the client's dialect. */
export function writeEncoded(chat: AnswerReader, written: StreamEncoder): AnswerReader {
  const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });

  function push({ data, raw }: Frame): Uint8Array {
    if (data === undefined) return raw;
    const chunk = parseJson(data);
    return isObject(chunk) ? encoder.encode(written.push(chunk)) : NOTHING;
  }

  return {
    ...chat,
    passes: null,
    close: () => encoder.encode(written.end()),
    fail: (failure) => written.fail(failure),
    read(frame) {
      const step = chat.read(frame);
      if (step.error !== null) return { ...step, out: NOTHING };
      const pieces = framer.push(step.out).frames.map(push);
      if (step.is_done) pieces.push(encoder.encode(written.end()));
      return { ...step, out: joinBytes(pieces) };
    },
  };
}
