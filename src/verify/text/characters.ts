import { createBurstScan } from "./script-bursts.ts";
import { isLatinLetter } from "./scripts.ts";

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

/** Counts characters of a text in pieces of any size. */
export function createCharacterScan() {
  const counts = { c1: 0, nul: 0, c0: 0, replacement: 0, spaces: 0, letters: 0 };
  const bursts = createBurstScan();

  function readControl(unit: number): void {
    if (unit === 0) counts.nul++;
    else if (unit < 0x09 || unit > 0x0d) counts.c0++;
  }

  function readAscii(unit: number): void {
    if (unit === 0x20) counts.spaces++;
    else if (isLatinLetter(unit)) counts.letters++;
    else if (unit < 0x20 || unit === 0x7f) readControl(unit);
  }

  function readBeyondAscii(unit: number): void {
    if (unit <= 0x9f) counts.c1++;
    else if (unit === 0xfffd) counts.replacement++;
    else if (isLatinLetter(unit)) counts.letters++;
  }

  return {
    push(text: string): void {
      for (let at = 0; at < text.length; at++) {
        const unit = text.charCodeAt(at);
        if (unit < 0x80) readAscii(unit);
        else readBeyondAscii(unit);
        bursts.read(unit);
      }
    },

    counts(): CharacterCounts {
      const { foreign, bursts: found } = bursts.counts();
      return { ...counts, letters: counts.letters + foreign, foreign, bursts: found };
    },
  };
}
