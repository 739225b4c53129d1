import { isVisible } from "../../protocol/openai/fields.ts";
import { createCharacterScan } from "./characters.ts";
import { createCodeFilter } from "./code-free.ts";
import { createMojibakeScan } from "./mojibake.ts";
import { createPlainScan } from "./plain-marks.ts";
import { HEAD, TAIL, type TextFacts } from "./text-facts.ts";

/**
 * Text is read in blocks of one size whatever the deltas were, so that what a delta cuts apart cannot
 * change a verdict, and so that a delta costs next to nothing.
 */
const BLOCK = 512;

interface ScanOptions {
  /** Units of text up to which all of it is kept. */
  readonly keep: number;
}

/** Follows a text delta by delta. Beyond `keep` only its head, its tail and counts stay. */
export function createTextScan({ keep }: ScanOptions) {
  const mojibake = createMojibakeScan();
  const characters = createCharacterScan();
  const plain = createPlainScan();
  const code = createCodeFilter((piece) => plain.push(piece));
  let pending = "";
  let length = 0;
  let head = "";
  let tail = "";
  let whole: string | null = "";
  let hasVisible = false;

  function keepText(block: string): void {
    if (head.length < HEAD) head += block.slice(0, HEAD - head.length);
    tail += block;
    if (tail.length > 2 * TAIL) tail = tail.slice(-TAIL);
    whole = whole === null || length > keep ? null : whole + block;
  }

  function readBlock(block: string): void {
    length += block.length;
    keepText(block);
    hasVisible ||= isVisible(block);
    mojibake.push(block);
    characters.push(block);
    code.push(block);
  }

  return {
    push(delta: string): void {
      pending += delta;
      if (pending.length < BLOCK) return;
      let at = 0;
      for (; at + BLOCK <= pending.length; at += BLOCK) readBlock(pending.slice(at, at + BLOCK));
      pending = pending.slice(at);
    },

    /** To be called once, after the last delta. */
    end(): TextFacts {
      readBlock(pending);
      pending = "";
      code.end();
      return {
        length,
        head,
        tail: tail.slice(-TAIL),
        whole,
        is_visible: hasVisible,
        mojibake: mojibake.end(),
        characters: characters.counts(),
        plain: plain.end(),
      };
    },
  };
}
