/**
 * Writings that are not Latin, by the units that are all theirs, or nearly. The number of a writing is its
 * place in the list.
 */
export const SCRIPTS: readonly (readonly [first: number, last: number])[] = [
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
  [0x3041, 0x30ff], // Kana
  [0x3400, 0x4d7f], // Han
  [0x4e00, 0x9fff], // Han
  [0xac00, 0xd77f], // Hangul
];

export const GREEK = 0;
