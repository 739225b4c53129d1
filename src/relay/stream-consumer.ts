import { joinBytes } from "../protocol/json/edit.ts";
import type { createStreamReader, Step } from "../protocol/openai/stream.ts";
import type { createFramer, Frame } from "../protocol/sse/framer.ts";
import type { Stop } from "./watch.ts";

/** How a stream ended. Only `done` is a proper end. */
export type StreamEnd =
  | { readonly kind: "done" }
  | { readonly kind: "error"; readonly payload: string }
  /** The connection ended or broke before a finish; null where it simply ended. */
  | { readonly kind: "cut"; readonly error: unknown }
  | { readonly kind: "too_large" }
  | { readonly kind: "stopped"; readonly stop: Stop };

/** What a stretch of the upstream's bytes came to. */
export interface Consumed {
  /** Bytes for the client, possibly none. */
  readonly out: Uint8Array;
  /** The first content-bearing delta of the stream is among them. */
  readonly is_content: boolean;
  /** Null while the stream goes on. */
  readonly end: StreamEnd | null;
}

interface ConsumerParts {
  readonly framer: ReturnType<typeof createFramer>;
  readonly stream: ReturnType<typeof createStreamReader>;
  /** Comment to put right before the end marker; undefined for none. */
  readonly beforeDone: (() => string) | undefined;
}

const encoder = new TextEncoder();

/** Turns upstream chunks into what the client gets, frame by frame. */
export function createConsumer({ framer, stream, beforeDone }: ConsumerParts) {
  function consume(frames: readonly Frame[]): Consumed {
    const pieces: Uint8Array[] = [];
    let is_content = false;
    for (const frame of frames) {
      const step: Step = stream.read(frame);
      if (step.error !== null) {
        const end = { kind: "error", payload: step.error } as const;
        return { out: joinBytes(pieces), is_content, end };
      }
      is_content ||= step.is_content;
      if (step.is_done && beforeDone) pieces.push(encoder.encode(beforeDone()));
      pieces.push(step.out);
      if (step.is_done) return { out: joinBytes(pieces), is_content, end: { kind: "done" } };
    }
    return { out: joinBytes(pieces), is_content, end: null };
  }

  return {
    feed(bytes: Uint8Array): Consumed {
      const { frames, is_too_large } = framer.push(bytes);
      const consumed = consume(frames);
      return is_too_large && !consumed.end ? { ...consumed, end: { kind: "too_large" } } : consumed;
    },

    /** The upstream closed or broke off: after a finish reason that is a proper end, `[DONE]` or not. */
    finish(error: unknown = null): Consumed {
      const last = framer.end();
      const consumed = consume(last ? [last] : []);
      if (consumed.end) return consumed;
      const end: StreamEnd = stream.facts().is_finished ? { kind: "done" } : { kind: "cut", error };
      return { ...consumed, end };
    },
  };
}

export type Consumer = ReturnType<typeof createConsumer>;
