/** What windows-1252 shows for the bytes 0x80 to 0x9F; 0 where it has no character. */
const SPECIALS = [
  0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152,
  0, 0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161,
  0x203a, 0x0153, 0, 0x017e, 0x0178,
];

/** A byte that a strict decoder had no character for, and replaced. */
export const LOST = -1;

const NO_BYTE = 0;

/** By unit; nothing above the last special stands for a byte, but for U+FFFD. */
const LOW_BYTES = new Uint8Array(Math.max(...SPECIALS) + 1);
for (let byte = 0x80; byte <= 0xff; byte++) LOW_BYTES[byte] = byte;
for (const [index, special] of SPECIALS.entries()) {
  if (special !== 0) LOW_BYTES[special] = 0x80 + index;
}

/** The byte that a one-byte charset shows as `unit`: latin-1 and windows-1252 alike. */
export function lowByte(unit: number): number {
  if (unit < LOW_BYTES.length) return LOW_BYTES[unit] ?? NO_BYTE;
  return unit === 0xfffd ? LOST : NO_BYTE;
}

/** All characters that may stand for a byte from 0x80 to 0xBF, for a character class. */
export const CONTINUATIONS = `\\x80-\\xBF${SPECIALS.filter((special) => special !== 0)
  .map((special) => String.fromCharCode(special))
  .join("")}`;

/** Points that are common in answers and whose bytes no text spells by chance. */
export function isStrong(point: number): boolean {
  if (point < 0x200b) return false;
  return (
    point <= 0x203a ||
    point === 0x20ac ||
    point === 0x20b9 ||
    point === 0x2122 ||
    (point >= 0x2190 && point <= 0x22ff) ||
    (point >= 0x2600 && point <= 0x27bf) ||
    point === 0xfe0f ||
    point === 0xfffd
  );
}

/** Horned vowels, Romanian commas below, and what a second mangling makes of the first. */
const LONE_LETTERS = new Set([
  0x01a0, 0x01a1, 0x01af, 0x01b0, 0x0218, 0x0219, 0x021a, 0x021b, 0x0192, 0x02c6, 0x02dc,
]);

/** Letters of Latin writing: proof if one stands alone, but not behind a capital. */
export function isLoneLetter(point: number): boolean {
  if (point <= 0x017f) return point >= 0x80;
  if (point > 0x02dc) return point >= 0x1ea0 && point <= 0x1eff;
  return LONE_LETTERS.has(point);
}
