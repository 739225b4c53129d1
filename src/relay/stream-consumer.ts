import { joinViews } from "../protocol/json/edit.ts";
import type { Step } from "../protocol/openai/stream.ts";
import { createFramer, type Frame } from "../protocol/sse/framer.ts";
import type { AnswerReader } from "../protocol/translate/stream-reader.ts";
import type { StreamFailure } from "../protocol/translate/translation.ts";
import type { OnText } from "./answer-reader.ts";
import type { Stop } from "./watch.ts";

/** How a stream ended. Only `done` is a proper end. */
export type StreamEnd =
  /** `marker` holds the bytes that say so to the client; the upstream may just have closed after a finish. */
  | { readonly kind: "done"; readonly marker: Uint8Array }
  | { readonly kind: "error"; readonly payload: string }
  /** The connection ended or broke before a finish; null where it simply ended. */
  | { readonly kind: "cut"; readonly error: unknown }
  | { readonly kind: "too_large" }
  | { readonly kind: "stopped"; readonly stop: Stop };

/** What a stretch of the upstream's bytes came to. */
export interface Consumed {
  /** Bytes for the client, possibly none; a view of the upstream's own where they are the same. */
  readonly out: Uint8Array;
  /** The first content-bearing delta of the stream is among them. */
  readonly is_content: boolean;
  /** Null while the stream goes on. */
  readonly end: StreamEnd | null;
}

interface ConsumerParts {
  /** Makes what reads the stream; it tells the text of each delta. */
  readonly reader: (onText: OnText | null) => AnswerReader;
  /** In bytes. */
  readonly max_frame: number;
  /** Told each text of a choice with the bytes of the frame that brought it. */
  readonly onText?: (choice: number, text: string, bytes: Uint8Array) => void;
}

const NOTHING = new Uint8Array();

/** Turns upstream chunks into what the client gets, frame by frame where frames must be looked at. */
export function createConsumer({ reader, max_frame, onText }: ConsumerParts) {
  const framer = createFramer({ max_frame });
  let bytes: Uint8Array = NOTHING;
  const stream = reader(onText ? (choice, text) => onText(choice, text, bytes) : null);

  /** The next frame of a chunk; what may pass before it goes into `pieces`. */
  function nextFrame(pieces: Uint8Array[]): Frame | undefined {
    const passed = stream.passes === null ? NOTHING : framer.pass(stream.passes);
    if (passed.length > 0) pieces.push(passed);
    return framer.next();
  }

  function consume(next: (pieces: Uint8Array[]) => Frame | undefined): Consumed {
    const pieces: Uint8Array[] = [];
    let is_content = false;
    const consumed = (end: StreamEnd | null) => ({ out: joined(pieces), is_content, end });
    for (let frame = next(pieces); frame; frame = next(pieces)) {
      bytes = frame.raw;
      const step: Step = stream.read(frame);
      if (step.error !== null) return consumed({ kind: "error", payload: step.error });
      is_content ||= step.is_content;
      if (step.is_done) return consumed({ kind: "done", marker: step.out });
      pieces.push(step.out);
    }
    return consumed(framer.isTooLarge() ? { kind: "too_large" } : null);
  }

  return {
    facts: stream.facts,
    choices: stream.choices,
    fail: (failure: StreamFailure) => stream.fail(failure),

    feed(chunk: Uint8Array): Consumed {
      framer.begin(chunk);
      return consume(nextFrame);
    },

    /** The upstream closed or broke off: after a finish reason that is a proper end, `[DONE]` or not. */
    finish(error: unknown = null): Consumed {
      const consumed = consume(() => framer.end());
      if (consumed.end) return consumed;
      const isFinished = stream.facts().is_finished;
      const end: StreamEnd = isFinished
        ? { kind: "done", marker: stream.close() }
        : { kind: "cut", error };
      return { ...consumed, end };
    },
  };
}

export type Consumer = ReturnType<typeof createConsumer>;

/** Nearly always it is one piece, or none. */
function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return first && pieces.length === 1 ? first : joinViews(pieces);
}
