import { GREEK } from "./scripts.ts";

const OPENING = new Set(Array.from("(“\"'‘«‹「『［（*_/=`", (mark) => mark.charCodeAt(0)));

/** A formula has single Greek letters, or two. */
const MIN_BURST = 2;
const MIN_GREEK_BURST = 3;

interface Place {
  readonly position: number;
  readonly previous: number;
}

/** Counts the runs of letters of other writings than Latin that nothing introduces. */
export class BurstScan {
  count = 0;
  #script = GREEK;
  #length = 0;
  #isShown = false;
  #end = -1;

  /**
   * Takes in `count` adjacent letters of the writing `found`, at their position in the text and with the
   * unit before them. A run that a piece of text cut apart is one.
   */
  add(found: number, count: number, { position, previous }: Place): void {
    const isNew = found !== this.#script || position !== this.#end;
    if (isNew) this.#isShown = OPENING.has(previous);
    const before = isNew ? 0 : this.#length;
    const least = found === GREEK ? MIN_GREEK_BURST : MIN_BURST;
    this.#length = before + count;
    this.#script = found;
    this.#end = position + count;
    if (before < least && this.#length >= least && !this.#isShown) this.count++;
  }
}
