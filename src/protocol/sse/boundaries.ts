const LF = 0x0a;
const CR = 0x0d;

/** Finds where frames end: just past a blank line. Keeps the state of the line across chunks. */
export class Boundaries {
  /** A line break that comes next may be the second half of one. */
  isAfterCr = false;
  #isLineEmpty = true;

  /** The position after the next blank line at or after `from`, or -1 if the chunk ends before. */
  next(chunk: Uint8Array, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      const isSecondHalf = byte === LF && this.isAfterCr;
      this.isAfterCr = byte === CR;
      if (isSecondHalf) continue;
      const isBreak = byte === LF || byte === CR;
      if (isBreak && this.#isLineEmpty) {
        if (!this.isAfterCr || chunk[at + 1] !== LF) return at + 1;
        this.isAfterCr = false;
        return at + 2;
      }
      this.#isLineEmpty = isBreak;
    }
    return -1;
  }
}
