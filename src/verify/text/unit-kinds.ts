import { SCRIPTS } from "./scripts.ts";

/**
 * What a scan makes of a UTF-16 unit, all of them in one table: the low bits say what it counts as, the
 * rest is its class. Text is mostly of class 0, of which there is nothing more to see.
 */
const LETTER = 1;
const SPACE = 2;
const CLASS_BITS = 2;

/** Controls but for tab and line ends. */
export const C0 = 1;
export const NUL = 2;
/** Controls of the second block, U+0080 to U+009F. */
export const C1 = 3;
export const REPLACEMENT = 4;
/** The second unit of a character that has two. */
export const LOW_SURROGATE = 5;
export const BEYOND_ASCII = 6;
/** May stand for the first byte of a character in UTF-8. */
export const LEAD = 7;
/** The first writing other than Latin; the others follow. */
export const FIRST_SCRIPT = 8;

const KINDS = new Uint8Array(0x10000);

function mark(kind: number, first: number, last = first): void {
  KINDS.fill(kind, first, last + 1);
}

const ofClass = (unitClass: number) => unitClass << CLASS_BITS;

mark(ofClass(C0), 0x01, 0x08);
mark(ofClass(C0), 0x0e, 0x1f);
mark(ofClass(C0), 0x7f);
mark(ofClass(NUL), 0x00);
mark(SPACE, 0x20);
mark(LETTER, 0x41, 0x5a);
mark(LETTER, 0x61, 0x7a);
mark(ofClass(BEYOND_ASCII), 0xa0, 0xffff);
mark(ofClass(C1), 0x80, 0x9f);
// Latin letters beyond ASCII.
mark(ofClass(BEYOND_ASCII) | LETTER, 0xc0, 0x024f);
mark(ofClass(BEYOND_ASCII) | LETTER, 0x1e00, 0x1eff);
mark(ofClass(LEAD) | LETTER, 0xc2, 0xf4);
for (const [index, [first, last]] of SCRIPTS.entries()) {
  mark(ofClass(FIRST_SCRIPT + index), first, last);
}
mark(ofClass(LOW_SURROGATE), 0xdc00, 0xdfff);
mark(ofClass(REPLACEMENT), 0xfffd);

export const kindOf = (unit: number): number => KINDS[unit] ?? 0;
export const classOf = (kind: number): number => kind >> CLASS_BITS;
/** 1 for a Latin letter, else 0. */
export const countLetter = (kind: number): number => kind & LETTER;
/** As most answers do: no blank and no mark stands before it. */
export const beginsWithLetter = (text: string): boolean =>
  countLetter(kindOf(text.charCodeAt(0))) === 1;
/** 1 for a blank, else 0. */
export const countSpace = (kind: number): number => (kind & SPACE) >> 1;
