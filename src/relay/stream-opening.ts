import { joinViews } from "../protocol/json/edit.ts";
import type { BodyReader, Read } from "./body-reader.ts";
import type { Consumed, Consumer, StreamEnd } from "./stream-consumer.ts";

/** The preamble of a stream is held back up to here; more without content is a malformed answer. */
const MAX_HELD_BYTES = 256 * 1024;
/** How long the start of a suspect's stream is held back, from its first content on. */
const HOLD_BACK_MS = 300;

/** A stream up to its first content, or to an end without any. */
export type Opening =
  | {
      readonly kind: "content";
      readonly held: Uint8Array;
      readonly end: StreamEnd | null;
      /** More was waited for than the first content, so that the start, or the whole, can be judged. */
      readonly is_held_back: boolean;
    }
  | { readonly kind: "ended"; readonly held: Uint8Array; readonly end: StreamEnd }
  | { readonly kind: "preamble_too_long" };

interface OpeningParts {
  readonly reader: BodyReader;
  readonly consumer: Consumer;
  /**
   * Asked when the first content is there: what tells that enough of the answer is known to judge it,
   * null if the client may have it at once.
   */
  readonly waitFor: () => (() => boolean) | null;
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsed: () => number;
}

/**
 * Reads a stream until its first content-bearing delta, and that of a suspect until its start is known;
 * the client has seen nothing until then. Silence before the content is no matter here: the limit to
 * the first content bounds it.
 */
export async function openStream(parts: OpeningParts): Promise<Opening> {
  const { reader, consumer, waitFor } = parts;
  const held: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { out, is_content, end } = consume(await reader.read(), consumer);
    held.push(out);
    size += out.length;
    if (is_content) {
      const isEnough = waitFor();
      const last = isEnough === null ? end : await holdBack({ held, end }, { ...parts, isEnough });
      return { kind: "content", held: joinViews(held), end: last, is_held_back: isEnough !== null };
    }
    if (end) return { kind: "ended", held: joinViews(held), end };
    if (size > MAX_HELD_BYTES) return { kind: "preamble_too_long" };
  }
}

interface Begun {
  /** Grows by what else is held back. */
  readonly held: Uint8Array[];
  readonly end: StreamEnd | null;
}

/** Waits until enough is known, for the end, or for as long as a client may be made to wait. */
async function holdBack(
  { held, end: begunEnd }: Begun,
  { reader, consumer, isEnough, elapsed }: OpeningParts & { readonly isEnough: () => boolean },
): Promise<StreamEnd | null> {
  const until = elapsed() + HOLD_BACK_MS;
  let end = begunEnd;
  while (end === null && !isEnough()) {
    const read = await reader.readWithin(Math.max(0, until - elapsed()));
    if (read.kind === "late") return null;
    const consumed = consume(read, consumer);
    held.push(consumed.out);
    end = consumed.end;
  }
  return end;
}

/** What a read comes to, the end of the stream included. */
export function consume(read: Read, consumer: Consumer): Consumed {
  if (read.kind === "chunk") return consumer.feed(read.bytes);
  if (read.kind === "end") return consumer.finish();
  if (read.kind === "broken") return consumer.finish(read.error);
  const end: StreamEnd = { kind: "stopped", stop: read.stop };
  return { out: new Uint8Array(), is_content: false, end };
}
