import { Runs } from "./mojibake-runs.ts";
import type { MojibakeCounts } from "./mojibake.ts";
import { BurstScan } from "./script-bursts.ts";
import { previousUnit, type TextPiece } from "./text-piece.ts";
import {
  BEYOND_ASCII,
  C0,
  C1,
  classOf,
  countLetter,
  countSpace,
  FIRST_SCRIPT,
  kindOf,
  LEAD,
  LOW_SURROGATE,
  NUL,
  REPLACEMENT,
} from "./unit-kinds.ts";

export interface CharacterCounts {
  /** Controls of the second block, U+0080 to U+009F. */
  readonly c1: number;
  readonly nul: number;
  /** Other controls but tab and line ends. */
  readonly c0: number;
  readonly replacement: number;
  readonly spaces: number;
  readonly letters: number;
  /** Letters of another writing than Latin. */
  readonly foreign: number;
  /** Runs of them amid the text; in brackets and quotes they are shown on purpose. */
  readonly bursts: number;
}

interface CharacterFacts {
  readonly characters: CharacterCounts;
  readonly mojibake: MojibakeCounts;
}

/**
 * Counts the characters of a text in pieces of any size, and what of them was decoded wrong, in one pass:
 * this is the only code that looks at every unit of an answer.
 */
export class CharacterScan {
  readonly #runs = new Runs();
  readonly #bursts = new BurstScan();
  readonly #tally: Tally = new Uint32Array(FIRST_SCRIPT);
  #letters = 0;
  #spaces = 0;
  /** Letters of other writings than Latin. */
  #foreign = 0;
  /** The beginning of a sequence whose rest is still to come. */
  #rest = "";
  /** Units before the rest, and the last of them. */
  #offset = 0;
  #last = 0;

  push(text: string): void {
    this.#readNext(this.#rest + text, false);
  }

  /** What was pushed so far is. */
  isAscii(): boolean {
    return this.#rest === "" && this.#beyondAscii() + countOf(this.#tally, LOW_SURROGATE) === 0;
  }

  /** Counts at the end of the text. */
  end(): CharacterFacts {
    this.#readNext(this.#rest, true);
    const tally = this.#tally;
    return {
      characters: {
        c1: countOf(tally, C1),
        nul: countOf(tally, NUL),
        c0: countOf(tally, C0),
        replacement: countOf(tally, REPLACEMENT),
        spaces: this.#spaces,
        letters: this.#letters + this.#foreign,
        foreign: this.#foreign,
        bursts: this.#bursts.count,
      },
      mojibake: { ...this.#runs.end(), non_ascii: this.#beyondAscii() },
    };
  }

  #readNext(text: string, isLast: boolean): void {
    if (text === "") return;
    const piece = { text, offset: this.#offset, last: this.#last };
    const end = this.#read(piece, isLast);
    this.#rest = text.slice(end);
    this.#offset += end;
    this.#last = previousUnit(piece, end);
  }

  /** Reads as much as can be told without what follows; returns how much that was. */
  #read(piece: TextPiece, isLast: boolean): number {
    const { text } = piece;
    let at = 0;
    let letters = 0;
    let spaces = 0;
    while (at < text.length) {
      const kind = kindOf(text.charCodeAt(at));
      const unitClass = classOf(kind);
      if (unitClass > 0) {
        if (unitClass >= FIRST_SCRIPT) {
          at = this.#readScript(piece, at);
          continue;
        }
        if (unitClass === LEAD && !this.#runs.read(piece, at) && !isLast) break;
        this.#tally[unitClass] = countOf(this.#tally, unitClass) + 1;
      }
      letters += countLetter(kind);
      spaces += countSpace(kind);
      at++;
    }
    this.#letters += letters;
    this.#spaces += spaces;
    return at;
  }

  /** Past a run of letters of one writing that begins at `at`. */
  #readScript(piece: TextPiece, at: number): number {
    const { text } = piece;
    const kind = kindOf(text.charCodeAt(at));
    let end = at + 1;
    while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++;
    this.#foreign += end - at;
    const place = { position: piece.offset + at, previous: previousUnit(piece, at) };
    this.#bursts.add(classOf(kind) - FIRST_SCRIPT, end - at, place);
    return end;
  }

  /** Characters beyond ASCII; one of two units counts once. */
  #beyondAscii(): number {
    const tally = this.#tally;
    return (
      this.#foreign +
      countOf(tally, BEYOND_ASCII) +
      countOf(tally, LEAD) +
      countOf(tally, C1) +
      countOf(tally, REPLACEMENT)
    );
  }
}

/** Units by class, but for the first, of which there is nothing to tell, and for writings. */
type Tally = Uint32Array;

const countOf = (tally: Tally, unitClass: number) => tally[unitClass] ?? 0;
