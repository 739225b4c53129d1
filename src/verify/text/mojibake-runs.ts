import { isLoneLetter, isStrong, LOST } from "./mojibake-bytes.ts";

export interface RunCounts {
  /** Runs of adjacent sequences such as no correct text has. */
  readonly accepted: number;
  /** Marks within runs that each are proof enough. */
  readonly strong: number;
  readonly sequences: number;
  /** Characters inside of sequences. */
  readonly structural: number;
}

/** Gathers adjacent sequences into runs and judges each run when it is over. */
export function createRuns() {
  const counts = { accepted: 0, strong: 0, sequences: 0, structural: 0 };
  let length = 0;
  let hasC1 = false;
  let isLong = false;
  let isSymbol = false;
  let isLetter = false;
  let before = 0;

  return {
    isOpen: (): boolean => length > 0,

    /** A sequence may begin behind the unit `previous`. */
    open(previous: number): void {
      if (length === 0) before = previous;
    },

    /**
     * A stretch of `size` units shaped like the bytes of the character `point`, which is `LOST` if a
     * decoder replaced one; `isControl` if a unit from U+0080 to U+009F is among them.
     */
    add(size: number, point: number, isControl: boolean): void {
      length++;
      hasC1 ||= isControl;
      isLong ||= size === 4 && point !== LOST;
      isSymbol ||= isStrong(point);
      isLetter ||= isLoneLetter(point);
      counts.sequences++;
      counts.structural += size;
    },

    close(): void {
      if (length === 0) return;
      const isPlural = length >= 2;
      const strong = Number(isPlural) + Number(hasC1) + Number(isLong) + Number(isSymbol);
      if (strong > 0 || (isLetter && !isUpper(before))) counts.accepted++;
      counts.strong += strong;
      length = 0;
      hasC1 = false;
      isLong = false;
      isSymbol = false;
      isLetter = false;
    },

    counts: (): RunCounts => ({ ...counts }),
  };
}

/** Capitals end words in which a capital with a mark may stand before a quote or an ellipsis. */
function isUpper(unit: number): boolean {
  if (unit < 0x41 || (unit > 0x5a && unit < 0xc0)) return false;
  const letter = String.fromCharCode(unit);
  return letter !== letter.toLowerCase();
}
