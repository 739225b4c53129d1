const LF = 0x0a;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A way through the bytes of a chunk and its text at once. The text is decoded in one go, for that costs
 * far less than a frame at a time.
 */
export class ChunkCursor {
  readonly bytes: Uint8Array;
  /** Where we are in `bytes`. */
  at = 0;
  /** Where we are in `text`. */
  place = 0;
  #text: string | undefined;
  /** Just past the bytes that `text` was read from. */
  #end = 0;
  /** A byte for each character, from here on. */
  #isEven = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** What is left from where it was first asked for, up to its last LF; a character may be cut after that. */
  get text(): string {
    return (this.#text ??= this.#decode());
  }

  /** The bytes up to an end in the text, just past an LF; they are left behind. */
  take(end: number): Uint8Array {
    const from = this.at;
    this.at = this.byteAt(end);
    this.place = end;
    return this.#between(from, this.at);
  }

  /** Goes on to a place in the bytes where a frame has ended. */
  skipTo(at: number): void {
    if (this.#text !== undefined) this.place = this.#placeOf(at);
    this.at = at;
  }

  /** Where in the bytes a place in the text is, from here on and just past an LF. */
  byteAt(place: number): number {
    if (this.#isEven) return this.at + place - this.place;
    if (place === this.text.length) return this.#end;
    // Line breaks are the same in both.
    let { at } = this;
    for (let line = this.#lineEnd(this.place); line <= place; line = this.#lineEnd(line)) {
      at = this.bytes.indexOf(LF, at) + 1;
    }
    return at;
  }

  #decode(): string {
    this.#end = Math.max(this.at, this.bytes.lastIndexOf(LF) + 1);
    const text = decoder.decode(this.#between(this.at, this.#end));
    this.#isEven = text.length === this.#end - this.at;
    return text;
  }

  #placeOf(at: number): number {
    if (this.#isEven) return this.place + at - this.at;
    // A frame that CR ended: nobody can tell where that is in the text.
    if (this.bytes[at - 1] !== LF) return this.text.length;
    let { place } = this;
    for (let line = this.#byteLineEnd(this.at); line <= at; line = this.#byteLineEnd(line)) {
      place = this.#lineEnd(place);
    }
    return place;
  }

  /** Just past the next LF; beyond everything if there is none. */
  #lineEnd(from: number): number {
    const line = this.text.indexOf("\n", from);
    return line === -1 ? Number.POSITIVE_INFINITY : line + 1;
  }

  #byteLineEnd(from: number): number {
    const line = this.bytes.indexOf(LF, from);
    return line === -1 ? Number.POSITIVE_INFINITY : line + 1;
  }

  #between(from: number, to: number): Uint8Array {
    return from === 0 && to === this.bytes.length ? this.bytes : this.bytes.subarray(from, to);
  }
}
