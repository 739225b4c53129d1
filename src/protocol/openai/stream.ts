import { joinBytes } from "../json/edit.ts";
import type { Frame } from "../sse/framer.ts";
import { closedFrame, frameBytes, lastFrame } from "../sse/payload.ts";
import { isErrorChunk } from "./answer-error.ts";
import { arrayOf, isObject, type JsonObject, objectOf, parseJson } from "./fields.ts";
import type { ChoiceFacts } from "./stream/choice.ts";
import { type ChunkFacts, type ChunkOptions, ChunkReader } from "./stream/chunks.ts";
import { salvage } from "./stream/salvage.ts";

/** What became of one upstream frame. */
export interface Step {
  /** The bytes to forward; empty if the frame is dropped. */
  readonly out: Uint8Array;
  /** The first content of the stream is among them. */
  readonly is_content: boolean;
  readonly is_done: boolean;
  /** What tells of an error, for the classifier: JSON or an event's text. Nothing of it is forwarded. */
  readonly error: string | null;
}

/** What a stream has shown so far. */
export interface StreamFacts extends ChunkFacts {
  /** Frames whose payload was no chunk. */
  readonly malformed_frames: number;
}

const NOTHING = new Uint8Array();
const encoder = new TextEncoder();

/** Follows a chat or completions stream frame by frame, and repairs what SDKs cannot read. */
export function createStreamReader(options: ChunkOptions) {
  const { onEdit } = options;
  const chunks = new ChunkReader(options);
  let malformed = 0;

  function readPayload(frame: Frame, data: string): Step {
    if (data.trim() === "[DONE]") {
      const missing = chunks.missingEnd();
      const last = lastFrame(closedFrame(frame, frame.raw));
      const out = missing === "" ? last : joinBytes([encoder.encode(missing), last]);
      return { ...forward(out), is_done: true };
    }
    const parsed = parseJson(data);
    const error = errorOf(frame, data, parsed);
    if (error !== null) return { ...forward(NOTHING), error };
    if (isObject(parsed)) {
      const { out, is_content } = chunks.read(frame, parsed);
      return { out, is_content, is_done: false, error: null };
    }
    // A last frame that the connection cut is no fault of its own.
    if (frame.terminated) malformed++;
    const payloads = parsed === undefined ? salvage(data) : [];
    onEdit(payloads.length > 0 ? "salvaged_frame" : "dropped_frame");
    return readSalvaged(frame, payloads);
  }

  function readSalvaged({ event }: Frame, payloads: readonly string[]): Step {
    const steps: Step[] = [];
    for (const data of payloads) {
      const raw = frameBytes(event, data);
      const step = readPayload({ raw, event, data, terminated: true }, data);
      steps.push(step);
      if (step.is_done || step.error !== null) break;
    }
    return {
      out: joinBytes(steps.map(({ out }) => out)),
      is_content: steps.some(({ is_content }) => is_content),
      is_done: steps.some(({ is_done }) => is_done),
      error: steps.at(-1)?.error ?? null,
    };
  }

  return {
    read(frame: Frame): Step {
      if (chunks.repeats(frame)) return forward(frame.raw);
      return frame.data === undefined ? readBare(frame) : readPayload(frame, frame.data);
    },

    passes: (text: string, from: number): number => chunks.pass(text, from),

    /** Takes in a chunk that nobody is sent: what it tells counts, its repairs do not. */
    watch(chunk: JsonObject): Step {
      if (isErrorChunk(chunk)) return { ...forward(NOTHING), error: JSON.stringify(chunk) };
      return { ...forward(NOTHING), is_content: chunks.watch(chunk) };
    },

    facts: (): StreamFacts => ({ ...chunks.facts(), malformed_frames: malformed }),

    choices: (): ReadonlyMap<number, ChoiceFacts> => chunks.choices(),
  };
}

const forward = (out: Uint8Array): Step => ({
  out,
  is_content: false,
  is_done: false,
  error: null,
});

/** A frame without data: a comment, a blank line, or an old server's bare `error:` field. */
function readBare(frame: Frame): Step {
  const text = new TextDecoder().decode(frame.raw);
  const [, error] = /^error: ?(.*)$/m.exec(text) ?? [];
  if (error !== undefined) return { ...forward(NOTHING), error };
  // What an unterminated comment or field would mean is lost with the connection anyway.
  return forward(frame.terminated ? frame.raw : NOTHING);
}

/** What a payload tells of an error; null if it tells of none. */
function errorOf({ event }: Frame, data: string, parsed: unknown): string | null {
  // Google wraps an error into a list of one.
  const body = Array.isArray(parsed) ? arrayOf(parsed)[0] : parsed;
  if (event !== "error") return isObject(body) && isErrorChunk(objectOf(body)) ? data : null;
  // Plain text is told from an answer's by the event's name alone.
  return isObject(body) ? data : new TextDecoder().decode(frameBytes("error", data));
}
