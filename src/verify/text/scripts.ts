/** First and last code unit of the writings that are not Latin; a writing may have several ranges. */
const RANGES: readonly (readonly [first: number, last: number, script: string])[] = [
  [0x0370, 0x03ff, "greek"],
  [0x0400, 0x052f, "cyrillic"],
  [0x0531, 0x058f, "armenian"],
  [0x0590, 0x05ff, "hebrew"],
  [0x0600, 0x077f, "arabic"],
  [0x0900, 0x0dff, "indic"],
  [0x0e00, 0x0eff, "thai_lao"],
  [0x1000, 0x109f, "burmese"],
  [0x10a0, 0x10ff, "georgian"],
  [0x1100, 0x11ff, "hangul"],
  [0x1200, 0x139f, "ethiopic"],
  [0x1780, 0x17ff, "khmer"],
  [0x1f00, 0x1fff, "greek"],
  [0x3041, 0x30ff, "kana"],
  [0x3400, 0x4dbf, "han"],
  [0x4e00, 0x9fff, "han"],
  [0xac00, 0xd7a3, "hangul"],
];

/** The writing of a code unit; null for Latin and whatever is no letter. */
export function scriptOf(unit: number): string | null {
  if (unit < 0x0370 || unit > 0xd7a3) return null;
  const range = RANGES.find(([first, last]) => unit >= first && unit <= last);
  return range === undefined ? null : range[2];
}

export function isLatinLetter(unit: number): boolean {
  if (unit < 0x80) return (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
  return (unit >= 0xc0 && unit <= 0x024f) || (unit >= 0x1e00 && unit <= 0x1eff);
}
