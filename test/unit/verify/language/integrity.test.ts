import { expect, test } from "bun:test";

import { loadLanguageScores } from "../../../../src/verify/language/detector.ts";
import { judgeIntegrity } from "../../../../src/verify/language/integrity.ts";
import { judgeLanguage } from "../../../../src/verify/language/judge-language.ts";
import { findLanguage, type Language } from "../../../../src/verify/language/language.ts";
import { CHATS } from "./chats.ts";
import { interleave, mangle, TEXTS } from "./texts.ts";

const scores = await loadLanguageScores();

function languageOf(tag: string): Language {
  const language = findLanguage(tag);
  if (language === undefined) throw new Error(`no language: ${tag}`);
  return language;
}

const judge = (text: string, expected: string) =>
  judgeIntegrity(text, languageOf(expected), scores);
const texts = Object.entries(TEXTS).map(([tag, text]) => ({ tag, text }));

test.each(texts)("a sound text in $tag passes", ({ tag, text }) => {
  expect(judge(text, tag)).toEqual({ result: "pass", detected: tag });
});

test.each(CHATS)("a chat in %s passes", (tag, text) => {
  expect(judge(text, tag)).toMatchObject({ result: "pass" });
});

test.each(texts)(
  "a text in $tag fails wherever any other language was asked for",
  ({ tag, text }) => {
    const passed = texts
      .map((other) => other.tag)
      .filter((other) => other !== tag && judge(text, other).result !== "fail");

    expect(passed).toEqual([]);
  },
);

test.each(texts.filter(({ text }) => /[^\0-\x7F]/.test(text)))(
  "a text in $tag decoded by the wrong charset is damaged, whatever its language",
  ({ tag, text }) => {
    expect(judge(mangle(text), tag)).toEqual({
      result: "fail",
      reason: "encoding_damage",
      signature: "mojibake",
    });
  },
);

test.each([
  { base: "pt", foreign: "es" },
  { base: "es", foreign: "pt" },
  { base: "it", foreign: "es" },
  { base: "de", foreign: "en" },
  { base: "nl", foreign: "de" },
  { base: "tl", foreign: "en" },
  { base: "fr", foreign: "en" },
  { base: "pl", foreign: "en" },
  { base: "da", foreign: "sv" },
  { base: "ja", foreign: "en" },
  { base: "ko", foreign: "en" },
  { base: "th", foreign: "en" },
  { base: "ru", foreign: "uk" },
  { base: "hi", foreign: "en" },
  { base: "zh-Hant", foreign: "zh-Hans" },
])("$base with every other sentence in $foreign is no sound $base", ({ base, foreign }) => {
  const text = interleave(TEXTS[base] ?? "", TEXTS[foreign] ?? "");

  expect(judge(text, base)).toMatchObject({ result: "fail" });
});

test.each([
  {
    what: "a few letters",
    text: "Ja, tak.",
    expected: "da",
    judged: { result: "inconclusive", reason: "too_short", detected: null },
  },
  {
    what: "a close relative",
    text: TEXTS["da"] ?? "",
    expected: "nb",
    judged: { result: "inconclusive", reason: "close_pair", detected: "da" },
  },
  {
    what: "English words of every day in Tagalog",
    text: "Sige, mag-text ka lang okay? Nasa mall pa kasi ako, tapos may meeting pa kami bukas ng umaga.",
    expected: "tl",
    judged: { result: "pass", detected: "tl" },
  },
  {
    what: "code, addresses and tags in another language",
    text: `${TEXTS["pt"]} \`const the = which(will, have)\` <b>https://example.org/the/which/will</b>`,
    expected: "pt-BR",
    judged: { result: "pass", detected: "pt" },
  },
  {
    what: "Chinese where Japanese was asked for, which shares its characters",
    text: TEXTS["zh-Hans"] ?? "",
    expected: "ja",
    judged: { result: "fail", reason: "language_drift", detected: "zh" },
  },
  {
    what: "the other standard of Chinese",
    text: TEXTS["zh-Hans"] ?? "",
    expected: "zh_TW",
    judged: { result: "fail", reason: "script_variant", detected: "zh-Hans" },
  },
  {
    what: "Chinese of either standard where none was named",
    text: TEXTS["zh-Hant"] ?? "",
    expected: "zh",
    judged: { result: "pass", detected: "zh" },
  },
  {
    what: "letters whose marks come apart from them",
    text: (TEXTS["vi"] ?? "").normalize("NFD"),
    expected: "vi",
    judged: { result: "pass", detected: "vi" },
  },
] as const)("$what: $judged.result", ({ text, expected, judged }) => {
  expect(judge(text, expected)).toEqual(judged);
});

test.each([
  { what: "letters without a blank", text: "中".repeat(3_000_000), expected: "ja" },
  { what: "marks without a letter", text: ". ! ".repeat(1_000_000), expected: "pt" },
  { what: "what might be an address", text: "a.b-c+".repeat(500_000), expected: "pt" },
  { what: "open tags", text: "<a ".repeat(1_000_000), expected: "pt" },
])("millions of $what are judged by their start, at once", ({ text, expected }) => {
  expect(["fail", "inconclusive"]).toContain(
    judgeLanguage(text, languageOf(expected), scores).result,
  );
});
