/** Writings that are not Latin, by the blocks of 128 units that are all theirs, or nearly. */
const RANGES: readonly (readonly [first: number, last: number])[] = [
  [0x0380, 0x03ff], // Greek
  [0x0400, 0x04ff], // Cyrillic
  [0x0500, 0x057f], // Armenian
  [0x0580, 0x05ff], // Hebrew
  [0x0600, 0x077f], // Arabic
  [0x0900, 0x0dff], // Indic
  [0x0e00, 0x0eff], // Thai and Lao
  [0x1000, 0x107f], // Burmese
  [0x1080, 0x10ff], // Georgian
  [0x1100, 0x11ff], // Hangul
  [0x1200, 0x137f], // Ethiopic
  [0x1780, 0x17ff], // Khmer
  [0x3080, 0x30ff], // Kana
  [0x3400, 0x4d7f], // Han
  [0x4e00, 0x9fff], // Han
  [0xac00, 0xd77f], // Hangul
];

const BLOCK_BITS = 7;
const SCRIPTS = new Uint8Array(0x10000 >> BLOCK_BITS);
for (const [index, [first, last]] of RANGES.entries()) {
  SCRIPTS.fill(index + 1, first >> BLOCK_BITS, (last >> BLOCK_BITS) + 1);
}

export const NO_SCRIPT = 0;
export const GREEK = 1;

/** Hiragana shares a block with East Asian punctuation. */
const FIRST_HIRAGANA = 0x3041;
const KANA = SCRIPTS[0x3080 >> BLOCK_BITS] ?? NO_SCRIPT;

/** A number for the writing of a code unit; `NO_SCRIPT` for Latin and whatever is no letter. */
export function scriptOf(unit: number): number {
  if (unit >= FIRST_HIRAGANA && unit < 0x3080) return KANA;
  return SCRIPTS[unit >> BLOCK_BITS] ?? NO_SCRIPT;
}

/** A Latin letter beyond ASCII. */
export function isAccentedLetter(unit: number): boolean {
  return (unit >= 0xc0 && unit <= 0x024f) || (unit >= 0x1e00 && unit <= 0x1eff);
}
