import { createRuns } from "./mojibake-runs.ts";
import type { MojibakeCounts } from "./mojibake.ts";
import { createBurstScan } from "./script-bursts.ts";
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
export function createCharacterScan() {
  const units = createUnitScan();
  /** What is read next. `text` holds the beginning of a sequence whose rest is still to come. */
  let next: TextPiece = { text: "", offset: 0, last: 0 };

  function readNext(piece: TextPiece, isLast: boolean): void {
    const end = units.read(piece, isLast);
    next = {
      text: piece.text.slice(end),
      offset: piece.offset + end,
      last: previousUnit(piece, end),
    };
  }

  return {
    push: (text: string): void => readNext({ ...next, text: next.text + text }, false),

    /** What was pushed so far is. */
    isAscii: (): boolean => next.text === "" && units.isAscii(),

    /** Counts at the end of the text. */
    end(): CharacterFacts {
      readNext(next, true);
      return units.facts();
    },
  };
}

/** Reads pieces one behind the other; whoever gives them keeps what was left of the last. */
function createUnitScan() {
  const runs = createRuns();
  const bursts = createBurstScan();
  const tally: Tally = new Uint32Array(FIRST_SCRIPT);
  let letters = 0;
  let spaces = 0;
  /** Letters of other writings than Latin. */
  let foreign = 0;

  /** Past a run of letters of one writing that begins at `at`. */
  function readScript(piece: TextPiece, at: number): number {
    const { text } = piece;
    const kind = kindOf(text.charCodeAt(at));
    let end = at + 1;
    while (end < text.length && kindOf(text.charCodeAt(end)) === kind) end++;
    foreign += end - at;
    const place = { position: piece.offset + at, previous: previousUnit(piece, at) };
    bursts.add(classOf(kind) - FIRST_SCRIPT, end - at, place);
    return end;
  }

  return {
    /** Reads as much as can be told without what follows; returns how much that was. */
    read(piece: TextPiece, isLast: boolean): number {
      const { text } = piece;
      let at = 0;
      let newLetters = 0;
      let newSpaces = 0;
      while (at < text.length) {
        const kind = kindOf(text.charCodeAt(at));
        const unitClass = classOf(kind);
        if (unitClass > 0) {
          if (unitClass >= FIRST_SCRIPT) {
            at = readScript(piece, at);
            continue;
          }
          if (unitClass === LEAD && !runs.read(piece, at) && !isLast) break;
          tally[unitClass] = countOf(tally, unitClass) + 1;
        }
        newLetters += countLetter(kind);
        newSpaces += countSpace(kind);
        at++;
      }
      letters += newLetters;
      spaces += newSpaces;
      return at;
    },

    isAscii: (): boolean => foreign + countBeyond(tally) + countOf(tally, LOW_SURROGATE) === 0,

    facts(): CharacterFacts {
      const counted = { spaces, letters: letters + foreign, foreign, bursts: bursts.count() };
      return {
        characters: { ...controlsOf(tally), ...counted },
        mojibake: { ...runs.end(), non_ascii: foreign + countBeyond(tally) },
      };
    },
  };
}

/** Units by class, but for the first, of which there is nothing to tell, and for writings. */
type Tally = Uint32Array;

const countOf = (tally: Tally, unitClass: number) => tally[unitClass] ?? 0;

/** Characters beyond ASCII but for those of other writings; one of two units counts once. */
const countBeyond = (tally: Tally) =>
  countOf(tally, BEYOND_ASCII) +
  countOf(tally, LEAD) +
  countOf(tally, C1) +
  countOf(tally, REPLACEMENT);

const controlsOf = (tally: Tally) => ({
  c1: countOf(tally, C1),
  nul: countOf(tally, NUL),
  c0: countOf(tally, C0),
  replacement: countOf(tally, REPLACEMENT),
});
