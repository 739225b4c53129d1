import { expect, test } from "bun:test";

import { loadLanguageScores } from "../../../../src/verify/language/detector.ts";
import { inspectLanguage } from "../../../../src/verify/language/inspect-language.ts";
import { mangle, TEXTS } from "./texts.ts";

const scores = await loadLanguageScores();

test.each([
  {
    what: "a text in its language",
    line: { id: 1, text: TEXTS["fr"], expected: "fr-CA" },
    answer: { id: 1, result: "pass", detected: "fr" },
  },
  {
    what: "a text in another",
    line: { id: 2, text: TEXTS["es"], expected: "pt" },
    answer: { id: 2, result: "fail", detected: "es", reason: "language_drift" },
  },
  {
    what: "a short one",
    line: { id: 3, text: "Olá!", expected: "pt" },
    answer: { id: 3, result: "inconclusive", reason: "too_short" },
  },
  {
    what: "a broken one",
    line: { id: 4, text: mangle(TEXTS["cs"] ?? ""), expected: "cs" },
    answer: { id: 4, result: "fail", reason: "mojibake" },
  },
  {
    what: "no text",
    line: { expected: "cs" },
    answer: { id: null, error: "`text` must be a string" },
  },
  {
    what: "no language",
    line: { id: 5, text: "Hi" },
    answer: { id: 5, error: "`expected` must be a string such as `pt`" },
  },
  {
    what: "a language that is none",
    line: { id: 6, text: "Hi", expected: "zh-Hanz" },
    answer: { id: 6, result: "inconclusive", reason: "too_short" },
  },
  {
    what: "a word instead of a tag",
    line: { id: 7, text: "Hi", expected: "klingon" },
    answer: { id: 7, error: expect.stringContaining("`klingon` is no known language: ") },
  },
  {
    what: "the name of what every object has",
    line: { id: 8, text: "Hi", expected: "constructor" },
    answer: { id: 8, error: expect.stringContaining("`constructor` is no known language: ") },
  },
])("$what is answered", ({ line, answer }) => {
  expect(inspectLanguage(line, scores)).toEqual(answer);
});
