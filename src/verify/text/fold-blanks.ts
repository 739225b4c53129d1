/** All blanks but a lone space: most are one already and need not be written anew. */
const FOLDED = /\s\s+|[^\S ]/g;

/** `text` with one space for each stretch of blanks. */
export const foldBlanks = (text: string): string => text.replaceAll(FOLDED, " ");
