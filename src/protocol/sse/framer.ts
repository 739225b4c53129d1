import { createParser } from "eventsource-parser";

import { joinBytes } from "../json/edit.ts";
import { createPlainCutter } from "./plain-frames.ts";

/** One event of a stream with the very bytes it came in, blank line included. */
export interface Frame {
  readonly raw: Uint8Array;
  /** The `event:` field; undefined if there was none. */
  readonly event: string | undefined;
  /** The payload, lines joined; undefined for comments, blank lines and events without data. */
  readonly data: string | undefined;
  /** False for a last frame that the stream ended before its blank line came. */
  readonly terminated: boolean;
}

const LF = 0x0a;
const CR = 0x0d;
const BOM = [0xef, 0xbb, 0xbf];

/** What a chunk of the stream completed. */
export interface Framed {
  /** In order. */
  readonly frames: readonly Frame[];
  /** The frame after these exceeds the limit: nothing more can be read. */
  readonly is_too_large: boolean;
}

/**
 * Cuts a byte stream into frames at blank lines (LF, CR or CRLF, mixed), in time linear in its size.
 * A CR at the end of a chunk ends its line at once; an LF that follows opens the next frame's bytes,
 * where it means nothing. One BOM at the very start is dropped. `max_frame` is in bytes.
 */
export function createFramer({ max_frame }: { readonly max_frame: number }) {
  let readFields: ReturnType<typeof createFieldReader> | undefined;
  const skipBom = createBomSkipper();
  const cutPlain = createPlainCutter({ max_frame });
  const boundary = createBoundaryFinder();
  let pieces: Uint8Array[] = [];
  let held = 0;

  function take(terminated: boolean): Frame {
    const [only] = pieces;
    const raw = pieces.length === 1 && only ? only : joinBytes(pieces);
    pieces = [];
    held = 0;
    // Few streams have a frame that takes one.
    readFields ??= createFieldReader();
    return { raw, ...readFields(raw), terminated };
  }

  function hold(piece: Uint8Array): void {
    held += piece.length;
    if (piece.length > 0 && held <= max_frame) pieces.push(piece);
  }

  return {
    push(bytes: Uint8Array): Framed {
      const chunk = skipBom(bytes);
      const frames: Frame[] = [];
      let start = 0;
      while (held <= max_frame) {
        if (held === 0 && !boundary.isAfterCr()) start = cutPlain(chunk, start, frames);
        const end = boundary.find(chunk, start);
        hold(chunk.subarray(start, end === -1 ? chunk.length : end));
        if (end === -1 || held > max_frame) break;
        frames.push(take(true));
        start = end;
      }
      return { frames, is_too_large: held > max_frame };
    },

    /** What stands after the last blank line when the stream has ended. */
    end(): Frame | undefined {
      return held === 0 ? undefined : take(false);
    },
  };
}

/** Finds where frames end: just past a blank line. Keeps the state of the line across chunks. */
function createBoundaryFinder() {
  let isLineEmpty = true;
  let lastWasCr = false;
  return {
    /** A line break that comes next may be the second half of one. */
    isAfterCr: () => lastWasCr,
    /** The position after the next blank line at or after `from`, or -1 if the chunk ends before. */
    find(chunk: Uint8Array, from: number): number {
      for (let at = from; at < chunk.length; at++) {
        const byte = chunk[at];
        const isSecondHalf = byte === LF && lastWasCr;
        lastWasCr = byte === CR;
        if (isSecondHalf) continue;
        const isBreak = byte === LF || byte === CR;
        if (isBreak && isLineEmpty) {
          if (!lastWasCr || chunk[at + 1] !== LF) return at + 1;
          lastWasCr = false;
          return at + 2;
        }
        isLineEmpty = isBreak;
      }
      return -1;
    },
  };
}

/** Reads the fields of one frame's bytes, always as UTF-8. */
function createFieldReader() {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let event: string | undefined;
  let data: string | undefined;
  const parser = createParser({
    maxBufferSize: Number.POSITIVE_INFINITY,
    onEvent: (message) => {
      event = message.event;
      data = message.data;
    },
  });
  return (raw: Uint8Array) => {
    event = undefined;
    data = undefined;
    // The parser would drop a BOM from the start of each frame: after a line break there is no start.
    parser.feed(`\n${decoder.decode(raw)}\n\n`);
    parser.reset();
    return { event, data };
  };
}

/** Drops one BOM at the very start, however it is cut into chunks. */
function createBomSkipper() {
  let matched = 0;
  return (chunk: Uint8Array): Uint8Array => {
    if (matched === BOM.length) return chunk;
    let at = 0;
    while (matched < BOM.length && at < chunk.length && chunk[at] === BOM[matched]) {
      matched++;
      at++;
    }
    if (at === chunk.length || matched === BOM.length) return chunk.subarray(at);
    // It only looked like a BOM: give back what earlier chunks took for one.
    const taken = Uint8Array.from(BOM.slice(0, matched - at));
    matched = BOM.length;
    return taken.length === 0 ? chunk : joinBytes([taken, chunk]);
  };
}
