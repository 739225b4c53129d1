import type { Frame } from "../../sse/framer.ts";
import type { JsonObject } from "../fields.ts";
import type { ChoiceOptions } from "./choice.ts";
import { type Form, formOf, type Known } from "./chunk-form.ts";
import { type Cut, stringEnd, stringOf } from "./cut-text.ts";

/** One for each of a few choices that come in turn. */
const MAX_FORMS = 4;
/** So many forms in a row that no chunk repeated, and no more are looked for. */
const MAX_VAIN = 8;
/** Bytes; a longer one has more in it than a text. */
const MAX_FRAME = 4096;
const REPLACEMENT = "\uFFFD";

interface AlikeOptions extends Pick<ChoiceOptions, "dialect"> {
  readonly onText: ChoiceOptions["onText"] | undefined;
  /** Told the known chunk that one or more in a row repeat. */
  readonly onRepeated: (chunk: JsonObject) => void;
}

/**
 * A stream says the same chunk over and over with another text in it. One that was read whole and told
 * nothing but its text stands for all that repeat it: of those only the text is read.
 */
export class AlikeChunks {
  readonly #options: AlikeOptions;
  readonly #forms: Form[] = [];
  #vain = 0;
  /** The text of the chunk that was looked at last. */
  #said = "";

  constructor(options: AlikeOptions) {
    this.#options = options;
  }

  /** Takes in a frame that repeats a known chunk; false for any other. */
  repeats({ event, data, terminated }: Frame): boolean {
    if (data === undefined || event !== undefined || !terminated) return false;
    for (const form of this.#forms) {
      if (this.#endOf(data, 0, form.payload) !== data.length) continue;
      this.#tell(form, this.#said);
      return true;
    }
    return false;
  }

  /**
   * Takes in the frames from a place in a stream's text on that repeat known chunks; returns where the
   * first other one begins. One with U+FFFD in its text is such: whoever is told needs its own bytes.
   */
  pass(text: string, from: number): number {
    let at = from;
    for (;;) {
      const start = at;
      for (const form of this.#forms) at = this.#passAll(text, at, form);
      if (at === start) return at;
    }
  }

  learn(known: Known): void {
    const { event, raw } = known.frame;
    if (this.#vain === MAX_VAIN || event !== undefined || raw.length > MAX_FRAME) return;
    const form = formOf(known, this.#options.dialect);
    if (form === undefined) return;
    this.#vain++;
    if (this.#forms.push(form) > MAX_FORMS) this.#forms.shift();
  }

  /** Tells the text of all frames of one form at once, which costs less than one by one. */
  #passAll(text: string, from: number, form: Form): number {
    if (form.frame === null) return from;
    let said = "";
    let at = from;
    for (;;) {
      const end = this.#endOf(text, at, form.frame);
      if (end === -1 || this.#said.includes(REPLACEMENT)) break;
      said += this.#said;
      at = end;
    }
    if (at > from) this.#tell(form, said);
    return at;
  }

  #tell({ choice, chunk }: Form, said: string): void {
    const { onText, onRepeated } = this.#options;
    this.#vain = 0;
    onRepeated(chunk);
    if (choice !== null && said !== "") onText?.(choice, said);
  }

  /** Where what begins at `from` ends, if it is cut so; else -1. */
  #endOf(text: string, from: number, { before, between, after }: Cut): number {
    if (!text.startsWith(before, from)) return -1;
    const start = from + before.length;
    let end = stringEnd(text, start);
    const said = stringOf(text.slice(start, end));
    if (said === undefined) return -1;
    this.#said = said;
    if (between !== null) {
      if (!text.startsWith(between, end)) return -1;
      const padding = end + between.length;
      end = stringEnd(text, padding);
      if (stringOf(text.slice(padding, end)) === undefined) return -1;
    }
    return text.startsWith(after, end) ? end + after.length : -1;
  }
}
