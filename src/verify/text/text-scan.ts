import { isVisible } from "../../protocol/openai/fields.ts";
import { CharacterScan } from "./characters.ts";
import { CodeFilter } from "./code-free.ts";
import { PlainScan } from "./plain-marks.ts";
import { HEAD, TAIL, type TextFacts } from "./text-facts.ts";
import { beginsWithLetter } from "./unit-kinds.ts";

/**
 * Text is read in blocks of one size whatever the deltas were, so that what a delta cuts apart cannot
 * change a verdict, and so that a delta costs next to nothing. The first holds the head.
 */
const BLOCK = HEAD;

interface ScanOptions {
  /** Units of text up to which all of it is kept. */
  readonly keep: number;
}

/** Follows a text delta by delta. Beyond `keep` only its head, its tail and counts stay. */
export class TextScan {
  readonly #keep: number;
  readonly #characters = new CharacterScan();
  readonly #plain = new PlainScan();
  readonly #code = new CodeFilter((piece) => this.#plain.push(piece));
  #pending = "";
  #length = 0;
  #whole: string | null = "";
  /** Head and tail of a text that is no longer kept whole. */
  #head = "";
  #tail = "";
  #hasVisible = false;

  constructor({ keep }: ScanOptions) {
    this.#keep = keep;
  }

  push(delta: string): void {
    let at = BLOCK - this.#pending.length;
    if (delta.length < at) {
      this.#pending += delta;
      return;
    }
    this.#readBlock(this.#pending + delta.slice(0, at));
    // The rest is read where it stands: a stream of large deltas would leave a lot of copies.
    for (; at + BLOCK <= delta.length; at += BLOCK) this.#readBlock(delta.slice(at, at + BLOCK));
    this.#pending = delta.slice(at);
  }

  /** To be called once, after the last delta. */
  end(): TextFacts {
    this.#readBlock(this.#pending);
    this.#code.end();
    const whole = this.#whole;
    const { characters, mojibake } = this.#characters.end();
    return {
      length: this.#length,
      head: whole?.slice(0, HEAD) ?? this.#head,
      tail: (whole ?? this.#tail).slice(-TAIL),
      whole,
      is_visible: this.#hasVisible,
      mojibake,
      characters,
      plain: this.#plain.end(),
    };
  }

  #readBlock(block: string): void {
    this.#length += block.length;
    this.#keepText(block);
    this.#hasVisible ||= beginsWithLetter(block) || isVisible(block);
    this.#characters.push(block);
    this.#plain.isAscii = this.#characters.isAscii();
    this.#code.push(block);
  }

  #keepText(block: string): void {
    if (this.#whole === null) {
      this.#tail = (this.#tail + block).slice(-TAIL);
      return;
    }
    const text = this.#whole + block;
    if (this.#length <= this.#keep) {
      this.#whole = text;
      return;
    }
    this.#whole = null;
    this.#head = text.slice(0, HEAD);
    this.#tail = text.slice(-TAIL);
  }
}
