import { createBurstScan } from "./script-bursts.ts";
import { isAccentedLetter } from "./scripts.ts";

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

/** Classes of ASCII, of which a text is mostly made. */
const OTHER = 0;
const LETTER = 1;
const SPACE = 2;
const CONTROL = 3;
const CLASSES = Uint8Array.from({ length: 0x80 }, (_, unit) => classOf(unit));

function classOf(unit: number): number {
  if (unit === 0x20) return SPACE;
  const isBreak = unit >= 0x09 && unit <= 0x0d;
  if (isBreak) return OTHER;
  if (unit < 0x20 || unit === 0x7f) return CONTROL;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? LETTER : OTHER;
}

/** Counts characters of a text in pieces of any size. */
export function createCharacterScan() {
  const counts = { c1: 0, nul: 0, c0: 0, replacement: 0, spaces: 0, letters: 0 };
  const bursts = createBurstScan();
  let position = 0;
  let previous = 0;

  function readBeyondAscii(unit: number): void {
    if (unit <= 0x9f) counts.c1++;
    else if (unit === 0xfffd) counts.replacement++;
    else if (isAccentedLetter(unit)) counts.letters++;
    else bursts.read(unit, position, previous);
  }

  return {
    push(text: string): void {
      let letters = 0;
      let spaces = 0;
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (unit < 0x80) {
          const found = CLASSES[unit];
          if (found === LETTER) letters++;
          else if (found === SPACE) spaces++;
          else if (found === CONTROL) counts[unit === 0 ? "nul" : "c0"]++;
        } else readBeyondAscii(unit);
        position++;
        previous = unit;
      }
      counts.letters += letters;
      counts.spaces += spaces;
    },

    counts(): CharacterCounts {
      const { foreign, bursts: found } = bursts.counts();
      return { ...counts, letters: counts.letters + foreign, foreign, bursts: found };
    },
  };
}
