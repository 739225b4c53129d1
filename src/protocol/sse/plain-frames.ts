import type { Frame } from "./framer.ts";

const LF = 0x0a;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
/** How the one line of a plain frame begins. */
const FIELD = new TextEncoder().encode("data: ");

/**
 * Cuts off frames of the form that nearly all have, one line `data: {…}` or `data: [DONE]` and a blank one, both ended
 * by LF, without a parser; what they come to is what the parser would make of them.
 */
export function createPlainCutter({ max_frame }: { readonly max_frame: number }) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

  /**
   * Adds the plain frames that follow each other from `from` on, where a frame must begin, to `frames`;
   * returns where the first other one begins, which may have no end in this chunk.
   */
  return (chunk: Uint8Array, from: number, frames: Frame[]): number => {
    let start = from;
    for (;;) {
      const end = plainEnd(chunk, start);
      if (end === -1 || end - start > max_frame) return start;
      const raw = start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end);
      const data = decoder.decode(raw).slice(FIELD.length, -2);
      // It may end a line, too.
      if (data.includes("\r")) return start;
      frames.push({ raw, event: undefined, data, terminated: true });
      start = end;
    }
  };
}

/** The position after the blank line if a line of the common form and it follow from `start` on; else -1. */
function plainEnd(chunk: Uint8Array, start: number): number {
  for (let at = 0; at < FIELD.length; at++) {
    if (chunk[start + at] !== FIELD[at]) return -1;
  }
  const value = start + FIELD.length;
  // A value that begins so has no BOM, blank or colon that a parser would look at.
  if (chunk[value] !== OPEN_BRACE && chunk[value] !== OPEN_BRACKET) return -1;
  const line = chunk.indexOf(LF, value);
  return line !== -1 && chunk[line + 1] === LF ? line + 2 : -1;
}
