import { expect, test } from "bun:test";

import { CLOSE_PAIRS, stretches } from "../../scripts/lib/stretches.ts";
import { declarations } from "../../scripts/lib/udhr.ts";
import { loadLanguageScores } from "../../src/verify/language/detector.ts";
import { judgeLanguage } from "../../src/verify/language/judge-language.ts";
import { findLanguage } from "../../src/verify/language/language.ts";

const scores = await loadLanguageScores();
const corpus = Map.groupBy(await declarations(), ({ lang }) => lang);
const LANGUAGES = [...corpus.keys()];

/** How many stretches of a text are failed where `expected` is asked for, and of how many. */
function failures(expected: string, came: string, letters: number) {
  const language = findLanguage(expected);
  if (language === undefined) throw new Error(`\`${expected}\` is no known language`);
  const texts = stretches(
    (corpus.get(came) ?? []).map(({ text }) => text),
    letters,
  );
  const failed = texts.filter((text) => judgeLanguage(text, language, scores).result === "fail");
  return { failed: failed.length, texts: texts.length };
}

function shareOf(counts: readonly ReturnType<typeof failures>[]): number {
  const sum = (of: "failed" | "texts") => counts.reduce((all, one) => all + one[of], 0);
  return sum("failed") / sum("texts");
}

test.each([
  { letters: 100, at_most: 0.01 },
  { letters: 150, at_most: 0.005 },
])("of sound texts of $letters letters next to none fails", ({ letters, at_most }) => {
  const counts = LANGUAGES.map((lang) => failures(lang, lang, letters));

  expect(LANGUAGES.length).toBeGreaterThan(25);
  expect(shareOf(counts)).toBeLessThan(at_most);
});

test("a relative in place of the language is caught", () => {
  const shares = CLOSE_PAIRS.map(([expected, came]) => shareOf([failures(expected, came, 100)]));

  expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.95);
  expect(Math.min(...shares)).toBeGreaterThan(0.85);
});

test("English in place of any other language is caught", () => {
  const others = LANGUAGES.filter((lang) => lang !== "en");

  const missed = others.filter((lang) => shareOf([failures(lang, "en", 100)]) < 0.99);

  expect(missed).toEqual([]);
});
