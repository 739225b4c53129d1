import { isLoneLetter, isStrong, LOST, lowByte } from "./mojibake-bytes.ts";
import { previousUnit, type TextPiece } from "./text-piece.ts";

export interface RunCounts {
  /** Runs of adjacent sequences such as no correct text has. */
  readonly accepted: number;
  /** Marks within runs that each are proof enough. */
  readonly strong: number;
  /** Stretches of units shaped like the bytes of one character in UTF-8. */
  readonly sequences: number;
  /** Characters inside of sequences. */
  readonly structural: number;
}

/** Marks of a run that are proof by themselves, and one that is if it does not follow a capital. */
const HAS_C1 = 1;
const IS_LONG = 2;
const IS_SYMBOL = 4;
const IS_LETTER = 8;

/** Finds sequences, gathers adjacent ones into runs and judges each run when it is over. */
export class Runs {
  #accepted = 0;
  #strong = 0;
  #sequences = 0;
  #structural = 0;
  /** Sequences of the run, the position behind it, its marks and the unit before it. */
  #length = 0;
  #end = 0;
  #marks = 0;
  #before = 0;

  /**
   * Takes in the sequence that the unit at `at`, U+00C2 to U+00F4, may begin. False if the piece ends
   * before it is known whether it does.
   */
  read(piece: TextPiece, at: number): boolean {
    const { text } = piece;
    const lead = text.charCodeAt(at);
    const size = sizeOf(lead);
    let point = lead & (0x7f >> size);
    let hasC1 = 0;
    for (let nth = 1; nth < size; nth++) {
      if (at + nth >= text.length) return false;
      const unit = text.charCodeAt(at + nth);
      const byte = lowByte(unit);
      if (byte !== LOST && !continues(lead, byte, nth)) return true;
      // A point that lost a byte stays lost.
      point = byte === LOST || point === LOST ? LOST : (point << 6) | (byte & 0x3f);
      if (unit <= 0x9f) hasC1 = HAS_C1;
    }
    const position = piece.offset + at;
    if (position !== this.#end || this.#length === 0) {
      this.#close();
      this.#before = previousUnit(piece, at);
    }
    this.#length++;
    this.#end = position + size;
    this.#marks |= hasC1 | marksOf(point, size);
    this.#sequences++;
    this.#structural += size;
    return true;
  }

  /** Counts at the end of the text. */
  end(): RunCounts {
    this.#close();
    return {
      accepted: this.#accepted,
      strong: this.#strong,
      sequences: this.#sequences,
      structural: this.#structural,
    };
  }

  #close(): void {
    if (this.#length === 0) return;
    const marks = this.#marks;
    const strong =
      Number(this.#length > 1) +
      (marks & HAS_C1) +
      ((marks & IS_LONG) >> 1) +
      ((marks & IS_SYMBOL) >> 2);
    if (strong > 0 || ((marks & IS_LETTER) !== 0 && !isUpper(this.#before))) this.#accepted++;
    this.#strong += strong;
    this.#length = 0;
    this.#marks = 0;
  }
}

function marksOf(point: number, size: number): number {
  if (point === LOST) return 0;
  if (size === 4) return IS_LONG;
  if (isStrong(point)) return IS_SYMBOL;
  return isLoneLetter(point) ? IS_LETTER : 0;
}

/** Bytes of the character that a lead opens. */
function sizeOf(lead: number): number {
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** `byte` may be the `nth` behind `lead`; some leads narrow their first. */
function continues(lead: number, byte: number, nth: number): boolean {
  if (byte < 0x80 || byte > 0xbf) return false;
  if (nth > 1) return true;
  switch (lead) {
    case 0xe0:
      return byte >= 0xa0;
    case 0xed:
      return byte <= 0x9f;
    case 0xf0:
      return byte >= 0x90;
    case 0xf4:
      return byte <= 0x8f;
    default:
      return true;
  }
}

/** Capitals end words in which a capital with a mark may stand before a quote or an ellipsis. */
function isUpper(unit: number): boolean {
  if (unit < 0x41 || (unit > 0x5a && unit < 0xc0)) return false;
  const letter = String.fromCharCode(unit);
  return letter !== letter.toLowerCase();
}
