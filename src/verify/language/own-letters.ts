import type { Fit } from "./fit.ts";
import { fail, type Failed } from "./judgement.ts";
import type { Language } from "./language.ts";

/** Letters that one of two relatives has and the other lacks, where the detector's margin is thin. */
const OWN_LETTERS: Readonly<Record<string, { readonly own: RegExp; readonly rival: string }>> = {
  ru: { own: /[ыэъё]/giu, rival: "uk" },
  uk: { own: /[іїєґ]/giu, rival: "ru" },
  cs: { own: /[ěřů]/giu, rival: "sk" },
  sk: { own: /[ľĺŕô]/giu, rival: "cs" },
};
/** So many of the relative's letters are no name or quotation. */
const MIN_OWN_LETTERS = 3;
/** A text that lacks all letters of its own needs to be no further off than this, less if it has the relative's. */
const BARE_DRIFT_MARGIN = 0.02;
const OTHERS_DRIFT_MARGIN = -0.03;

/** Tells a text from one in its nearest relative by the letters that only one of them has; null if they say nothing. */
export function judgeOwnLetters(prose: string, { code }: Language, fit: Fit): Failed | null {
  const expected = OWN_LETTERS[code];
  const other = OWN_LETTERS[expected?.rival ?? ""];
  if (expected === undefined || other === undefined) return null;
  const foreign = countOf(prose, other.own);
  const native = countOf(prose, expected.own);
  if (native === 0 && isAhead(fit, expected.rival, foreign)) {
    return fail("language_drift", expected.rival);
  }
  if (foreign < MIN_OWN_LETTERS) return null;
  return fail(native < foreign ? "language_drift" : "code_mixing", expected.rival);
}

const countOf = (text: string, letters: RegExp) => text.match(letters)?.length ?? 0;

function isAhead(fit: Fit, rival: string, foreign: number): boolean {
  const least = foreign > 0 ? OTHERS_DRIFT_MARGIN : BARE_DRIFT_MARGIN;
  return fit.rival === rival && fit.margin >= least;
}
