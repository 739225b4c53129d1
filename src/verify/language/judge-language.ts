import type { LanguageScores } from "./detector.ts";
import { type Fit, fitText, fitWindow } from "./fit.ts";
import { foreignWords } from "./function-words.ts";
import { judgeScript } from "./judge-script.ts";
import {
  abstain,
  fail,
  type Failed,
  type LanguageJudgement,
  MAX_FOREIGN_SHARE,
} from "./judgement.ts";
import type { Language, Script } from "./language.ts";
import { judgeOwnLetters } from "./own-letters.ts";
import {
  countLetters,
  type LetterCounts,
  lettersOf,
  mainScript,
  proseOf,
  windowsOf,
} from "./prose.ts";

/** Below so many letters nothing is said. A character of these writings is worth a few letters. */
const MIN_LETTERS = 40;
const MIN_DENSE_LETTERS = 12;
const DENSE: ReadonlySet<Script> = new Set(["Han", "Kana", "Hangul", "Thai", "Lao"]);

/** So far ahead another language must be, from so many letters on. */
const DRIFT_MARGIN = 0.05;
const LONG_DRIFT_MARGIN = 0.03;
const MIN_DRIFT_LETTERS = 60;
const LONG_LETTERS = 150;

/**
 * Holds a text against the language it should be in; code, addresses and marks of emphasis are left out.
 * A whole answer in another language, or sentences and words of it throughout, fail; a short text, a
 * close relative and a close call are not judged.
 */
export function judgeLanguage(
  text: string,
  language: Language,
  scores: LanguageScores,
): LanguageJudgement {
  const prose = proseOf(text);
  const letters = countLetters(prose);
  if (letters.total < leastLetters(letters)) return abstain("too_short", null);
  const written = judgeScript(prose, letters, language);
  if (written !== null) {
    const detected = written.detected ?? fitText(prose, language, scores).rival;
    return { ...written, detected };
  }
  if (language.detector === null) return { result: "pass", detected: language.code };
  return judgeFit({ prose, letters: letters.total, language, scores });
}

function leastLetters(letters: LetterCounts): number {
  const main = mainScript(letters);
  return main !== null && DENSE.has(main) ? MIN_DENSE_LETTERS : MIN_LETTERS;
}

interface Judged {
  readonly prose: string;
  readonly letters: number;
  readonly language: Language;
  readonly scores: LanguageScores;
}

function judgeFit(judged: Judged): LanguageJudgement {
  const { prose, letters, language, scores } = judged;
  const fit = fitText(prose, language, scores);
  const isJudged = letters >= MIN_DRIFT_LETTERS;
  const threshold = letters >= LONG_LETTERS ? LONG_DRIFT_MARGIN : DRIFT_MARGIN;
  if (isJudged && fit.margin >= threshold) return fail("language_drift", fit.rival);
  const byLetters = isJudged ? judgeOwnLetters(prose, language, fit) : null;
  if (byLetters !== null) return byLetters;
  const mixed = isJudged ? judgeMixing(judged, fit) : null;
  if (mixed !== null) return mixed;
  if (fit.margin > 0) return abstain(isJudged ? "close_call" : "too_short", fit.rival);
  return isClosePair(fit, language)
    ? abstain("close_pair", fit.nearest)
    : { result: "pass", detected: nameOf(fit, language) };
}

/** The detector knows no Indonesian apart from Malay, nor Bosnian from Croatian. */
function nameOf({ nearest }: Fit, { code, detector }: Language): string | null {
  return nearest === detector ? code : nearest;
}

/** A relative too close to blame anybody for is on top. */
function isClosePair({ nearest }: Fit, { detector, scripts }: Language): boolean {
  // Serbian in Latin letters is all Croatian to the detector.
  return nearest !== null && nearest !== detector && scripts.length === 1;
}

const MIXING_LETTERS = 60;
const MIN_FOREIGN_WINDOWS = 2;
const MIN_FOREIGN_WORDS = 5;
const MIN_WORD_SHARE = 0.2;
/** From here on there is next to nothing else. */
const WHOLE_WORD_SHARE = 0.8;
/** The detector need not prefer the language of the words, only not rule it out. */
const AGREEING_MARGIN = -0.05;
/** Czech and Slovak share too many words: only a whole answer is judged. */
const WORDS_SAY_NOTHING: Readonly<Record<string, string>> = { cs: "sk", sk: "cs" };

/** Sentences of another language, or its function words within the sentences; null if there are none. */
function judgeMixing({ prose, language, scores }: Judged, whole: Fit): Failed | null {
  const windows = windowsOf(prose, MIXING_LETTERS).map((window) => ({
    letters: window.letters,
    fit: fitWindow(window, language, scores),
  }));
  const foreign = windows.filter(({ fit }) => fit.margin >= DRIFT_MARGIN);
  const isPlural = foreign.length >= MIN_FOREIGN_WINDOWS;
  if (isPlural && lettersOf(foreign) >= MAX_FOREIGN_SHARE * lettersOf(windows)) {
    return fail("code_mixing", whole.rival);
  }
  const { detector } = language;
  if (detector === null) return null;
  const found = foreignWords(prose, detector).find(
    ({ language: other, foreign: count, share }) =>
      count >= MIN_FOREIGN_WORDS &&
      share >= MIN_WORD_SHARE &&
      WORDS_SAY_NOTHING[detector] !== other &&
      windows.some(({ fit }) => fit.rival === other && fit.margin > AGREEING_MARGIN),
  );
  if (found === undefined) return null;
  const isWhole = found.share >= WHOLE_WORD_SHARE;
  return fail(isWhole ? "language_drift" : "code_mixing", found.language);
}
