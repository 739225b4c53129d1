import { countVariants } from "./chinese.ts";
import { fail, type Failed, MAX_FOREIGN_SHARE } from "./judgement.ts";
import type { Language, Script } from "./language.ts";
import {
  countLetters,
  type LetterCounts,
  lettersOf,
  mainScript,
  shareOf,
  windowsOf,
} from "./prose.ts";

const MIN_SCRIPT_SHARE = 0.5;
/** No Japanese of a sentence's length does without. */
const MIN_KANA_SHARE = 0.1;

/** What the writing alone tells; null if it is the right one. */
export function judgeScript(
  prose: string,
  letters: LetterCounts,
  language: Language,
): Failed | null {
  const { code, scripts } = language;
  if (shareOf(letters, scripts) < MIN_SCRIPT_SHARE) {
    return fail("language_drift", languageOfScript(letters));
  }
  const kana = shareOf(letters, ["Kana"]);
  if (code === "ja" && kana < MIN_KANA_SHARE) return fail("language_drift", "zh");
  if (scripts[0] === "Han" && kana >= MIN_KANA_SHARE) return fail("language_drift", "ja");
  if (hasForeignWindows(prose, scripts)) return fail("code_mixing", null);
  return code === "zh-Hans" || code === "zh-Hant" ? judgeVariant(prose, code) : null;
}

const TOLD_BY_SCRIPT: Readonly<Partial<Record<Script, string>>> = {
  Han: "zh",
  Kana: "ja",
  Hangul: "ko",
  Thai: "th",
  Greek: "el",
  Hebrew: "he",
};

function languageOfScript(letters: LetterCounts): string | null {
  if (shareOf(letters, ["Kana"]) >= MIN_KANA_SHARE) return "ja";
  return TOLD_BY_SCRIPT[mainScript(letters) ?? "Latin"] ?? null;
}

const SCRIPT_WINDOW = 30;

/** Whole sentences are written otherwise than expected. */
function hasForeignWindows(prose: string, scripts: readonly Script[]): boolean {
  const windows = windowsOf(prose, SCRIPT_WINDOW);
  const foreign = lettersOf(
    windows.filter(({ text }) => shareOf(countLetters(text), scripts) < MIN_SCRIPT_SHARE),
  );
  return foreign >= 2 * SCRIPT_WINDOW && foreign > MAX_FOREIGN_SHARE * lettersOf(windows);
}

/** Characters of the other standard from which on they are no names. */
const MIN_VARIANT_CHARACTERS = 3;

function judgeVariant(prose: string, code: "zh-Hans" | "zh-Hant"): Failed | null {
  const counts = countVariants(prose);
  const other = code === "zh-Hans" ? "zh-Hant" : "zh-Hans";
  const share = counts[other] / Math.max(1, counts[other] + counts[code]);
  if (counts[other] < MIN_VARIANT_CHARACTERS || share <= MAX_FOREIGN_SHARE) return null;
  return share > 0.5 ? fail("script_variant", other) : fail("code_mixing", other);
}
