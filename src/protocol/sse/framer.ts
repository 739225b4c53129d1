import { joinBytes } from "../json/edit.ts";
import { Boundaries } from "./boundaries.ts";
import { BomSkipper } from "./byte-order-mark.ts";
import { ChunkCursor } from "./chunk-cursor.ts";
import { createFieldReader } from "./field-reader.ts";
import { cutPlain } from "./plain-frames.ts";

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

/** What a chunk of the stream completed. */
export interface Framed {
  /** In order. */
  readonly frames: readonly Frame[];
  /** The frame after these exceeds the limit: nothing more can be read. */
  readonly is_too_large: boolean;
}

/**
 * Takes in frames as they stand in a text, from a place where one begins; returns where it leaves off,
 * which is just past a frame or where it began.
 */
export type Passes = (text: string, from: number) => number;

const NOTHING = new Uint8Array();

/** `max_frame` is in bytes. */
export function createFramer({ max_frame }: { readonly max_frame: number }): Framer {
  return new Framer(max_frame);
}

/**
 * Cuts a byte stream into frames at blank lines (LF, CR or CRLF, mixed), in time linear in its size.
 * A CR at the end of a chunk ends its line at once; an LF that follows opens the next frame's bytes,
 * where it means nothing. One BOM at the very start is dropped.
 */
class Framer {
  readonly #max_frame: number;
  readonly #bom = new BomSkipper();
  readonly #boundaries = new Boundaries();
  #readFields: ReturnType<typeof createFieldReader> | undefined;
  #cursor = new ChunkCursor(NOTHING);
  /** Of a frame that earlier chunks began. */
  #pieces: Uint8Array[] = [];
  #held = 0;

  constructor(max_frame: number) {
    this.#max_frame = max_frame;
  }

  push(chunk: Uint8Array): Framed {
    this.begin(chunk);
    const frames: Frame[] = [];
    for (let frame = this.next(); frame; frame = this.next()) frames.push(frame);
    return { frames, is_too_large: this.isTooLarge() };
  }

  /** Takes the next chunk of the stream, to be cut by `next` and `pass`; what is left of the last one is lost. */
  begin(chunk: Uint8Array): void {
    this.#cursor = new ChunkCursor(this.#bom.skip(chunk));
  }

  /** The next frame that the chunk completes; undefined if it completes no other. */
  next(): Frame | undefined {
    if (this.isTooLarge()) return undefined;
    return (this.#isBetween() ? cutPlain(this.#cursor, this.#max_frame) : undefined) ?? this.#cut();
  }

  /** What of the chunk passes without being cut, from here on; possibly nothing. */
  pass(passes: Passes): Uint8Array {
    const cursor = this.#cursor;
    if (!this.#isBetween() || cursor.bytes.length > this.#max_frame) return NOTHING;
    const end = passes(cursor.text, cursor.place);
    return end === cursor.place ? NOTHING : cursor.take(end);
  }

  /** The next frame exceeds the limit: nothing more can be read. */
  isTooLarge(): boolean {
    return this.#held > this.#max_frame;
  }

  /** What stands after the last blank line when the stream has ended. */
  end(): Frame | undefined {
    return this.#held === 0 ? undefined : this.#take(false);
  }

  /** A frame begins here. */
  #isBetween(): boolean {
    return this.#held === 0 && !this.#boundaries.isAfterCr;
  }

  /** A frame of any form; the start of one is held until the rest comes. */
  #cut(): Frame | undefined {
    const { bytes, at } = this.#cursor;
    if (at === bytes.length) return undefined;
    const end = this.#boundaries.next(bytes, at);
    this.#hold(bytes.subarray(at, end === -1 ? bytes.length : end));
    this.#cursor.skipTo(end === -1 ? bytes.length : end);
    return end === -1 || this.isTooLarge() ? undefined : this.#take(true);
  }

  #hold(piece: Uint8Array): void {
    this.#held += piece.length;
    if (piece.length > 0 && !this.isTooLarge()) this.#pieces.push(piece);
  }

  #take(terminated: boolean): Frame {
    const [only] = this.#pieces;
    const raw = this.#pieces.length === 1 && only ? only : joinBytes(this.#pieces);
    this.#pieces = [];
    this.#held = 0;
    // Few streams have a frame that takes one.
    this.#readFields ??= createFieldReader();
    return { raw, ...this.#readFields(raw), terminated };
  }
}
