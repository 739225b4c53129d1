import type { Fit } from "./fit.ts";
import { fail, type Failed, MAX_FOREIGN_SHARE } from "./judgement.ts";
import type { Language } from "./language.ts";

interface Alphabet {
  /** Letters that its relatives do without; every longer text has some. */
  readonly own: RegExp | null;
  /** Letters of its relatives that it does without. */
  readonly lacks: RegExp;
}

/** Where relatives share a writing but not all of its letters. */
const ALPHABETS: Readonly<Record<string, Alphabet>> = {
  ru: { own: /[ыэё]/giu, lacks: /[іїєґўђјљњћџ]/giu },
  uk: { own: /[іїєґ]/giu, lacks: /[ыэъёўђјљњћџ]/giu },
  be: { own: /[ўіыэ]/giu, lacks: /[ищъїєґђјљњћџ]/giu },
  bg: { own: /ъ/giu, lacks: /[ыэёіїєґўђјљњћџ]/giu },
  sr: { own: null, lacks: /[йщъыьэюяёіїєґў]/giu },
  cs: { own: /[ěřů]/giu, lacks: /[ľĺŕô]/giu },
  sk: { own: /[ľĺŕô]/giu, lacks: /[ěřů]/giu },
  hi: { own: /[\u0901\u093c]/gu, lacks: /ळ/gu },
  ar: { own: null, lacks: /[پچژگٹڈڑںے]/gu },
  fa: { own: null, lacks: /[ٹڈڑںے]/gu },
};

/** So many letters of a relative are no name or quotation. */
const MIN_FOREIGN_LETTERS = 3;
/** So far ahead the relative must be where the text lacks all letters of its own. */
const BARE_DRIFT_MARGIN = 0.02;
/** And so little behind where it has the relative's on top. */
const OTHERS_DRIFT_MARGIN = -0.03;

/** Tells a text from one in a relative by the letters that only one of them has; null if they say nothing. */
export function judgeOwnLetters(prose: string, { code }: Language, fit: Fit): Failed | null {
  const alphabet = ALPHABETS[code];
  if (alphabet === undefined) return null;
  const foreign = countOf(prose, alphabet.lacks);
  const native = alphabet.own === null ? null : countOf(prose, alphabet.own);
  if (isDrift(fit, foreign, native)) return fail("language_drift", fit.rival);
  if (foreign < MIN_FOREIGN_LETTERS || native === null) return null;
  if (native < foreign) return fail("language_drift", fit.rival);
  const isMixed = foreign >= MAX_FOREIGN_SHARE * (foreign + native);
  return isMixed ? fail("code_mixing", fit.rival) : null;
}

/** `native` is null where the language has no letters of its own. */
function isDrift({ margin }: Fit, foreign: number, native: number | null): boolean {
  if (foreign > 0 && margin > 0) return true;
  if (native !== 0) return false;
  return margin >= (foreign > 0 ? OTHERS_DRIFT_MARGIN : BARE_DRIFT_MARGIN);
}

const countOf = (text: string, letters: RegExp) => text.match(letters)?.length ?? 0;
