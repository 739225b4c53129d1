import { isVisible } from "../../protocol/openai/fields.ts";
import { createCharacterScan } from "./characters.ts";
import { createCodeFilter } from "./code-free.ts";
import { createPlainScan } from "./plain-marks.ts";
import { HEAD, TAIL, type TextFacts } from "./text-facts.ts";

/**
 * Text is read in blocks of one size whatever the deltas were, so that what a delta cuts apart cannot
 * change a verdict, and so that a delta costs next to nothing.
 */
const BLOCK = 2_048;
/** As many of the last blocks as hold the tail, the last one being short. */
const TAIL_BLOCKS = Math.ceil(TAIL / BLOCK) + 1;

interface ScanOptions {
  /** Units of text up to which all of it is kept. */
  readonly keep: number;
}

/** Follows a text delta by delta. Beyond `keep` only its head, its tail and counts stay. */
export function createTextScan({ keep }: ScanOptions) {
  const characters = createCharacterScan();
  const plain = createPlainScan();
  /** All of the text so far is. */
  let isAscii = true;
  const code = createCodeFilter((piece) => plain.push(piece, isAscii));
  let pending = "";
  let length = 0;
  let head = "";
  let whole: string | null = "";
  let hasVisible = false;
  const lastBlocks: string[] = [];

  function keepText(block: string): void {
    if (head.length < HEAD) head += block.slice(0, HEAD - head.length);
    lastBlocks.push(block);
    if (lastBlocks.length > TAIL_BLOCKS) lastBlocks.shift();
    whole = whole === null || length > keep ? null : whole + block;
  }

  function readBlock(block: string): void {
    length += block.length;
    keepText(block);
    hasVisible ||= isVisible(block);
    characters.push(block);
    isAscii &&= characters.isAscii();
    code.push(block);
  }

  return {
    push(delta: string): void {
      let at = BLOCK - pending.length;
      if (delta.length < at) {
        pending += delta;
        return;
      }
      pending += delta.slice(0, at);
      readBlock(pending);
      // The rest is read where it stands: a stream of large deltas would leave a lot of copies.
      for (; at + BLOCK <= delta.length; at += BLOCK) readBlock(delta.slice(at, at + BLOCK));
      pending = delta.slice(at);
    },

    /** To be called once, after the last delta. */
    end(): TextFacts {
      readBlock(pending);
      pending = "";
      code.end();
      return {
        length,
        head,
        tail: lastBlocks.join("").slice(-TAIL),
        whole,
        is_visible: hasVisible,
        ...characters.end(),
        plain: plain.end(),
      };
    },
  };
}
