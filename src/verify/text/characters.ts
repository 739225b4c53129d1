import { createBurstScan } from "./script-bursts.ts";
import { isAccentedLetter, NO_SCRIPT, scriptOf } from "./scripts.ts";

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
const BEYOND = 4;
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
  let offset = 0;
  let last = 0;

  function readControl(unit: number): void {
    if (unit === 0) counts.nul++;
    else if (unit < 0x80) counts.c0++;
    else counts.c1++;
  }

  /** Past what was read at `at`, a unit beyond ASCII: a whole run of letters of one writing. */
  function readBeyondAscii(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    const script = scriptOf(unit);
    if (script === NO_SCRIPT) {
      if (unit <= 0x9f) readControl(unit);
      else if (unit === 0xfffd) counts.replacement++;
      else if (isAccentedLetter(unit)) counts.letters++;
      return at + 1;
    }
    let end = at + 1;
    while (end < text.length && scriptOf(text.charCodeAt(end)) === script) end++;
    const previous = at === 0 ? last : text.charCodeAt(at - 1);
    bursts.add(script, end - at, { position: offset + at, previous });
    return end;
  }

  return {
    push(text: string): void {
      if (text === "") return;
      let letters = 0;
      let spaces = 0;
      let at = 0;
      while (at < text.length) {
        const unit = text.charCodeAt(at);
        const found = unit < 0x80 ? CLASSES[unit] : BEYOND;
        if (found === BEYOND) at = readBeyondAscii(text, at);
        else {
          if (found === LETTER) letters++;
          else if (found === SPACE) spaces++;
          else if (found === CONTROL) readControl(unit);
          at++;
        }
      }
      counts.letters += letters;
      counts.spaces += spaces;
      offset += text.length;
      last = text.charCodeAt(text.length - 1);
    },

    counts(): CharacterCounts {
      const { foreign, bursts: found } = bursts.counts();
      return { ...counts, letters: counts.letters + foreign, foreign, bursts: found };
    },
  };
}
