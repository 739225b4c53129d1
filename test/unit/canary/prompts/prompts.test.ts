import { expect, test } from "bun:test";

import { CONTRACTS } from "../../../../src/canary/contracts/contract.ts";
import { choosePrompt } from "../../../../src/canary/prompts/choose-prompt.ts";
import { PROMPT_LOCALES, promptLocale, promptsOf } from "../../../../src/canary/prompts/locales.ts";
import { structuredPrompt } from "../../../../src/canary/prompts/structured.ts";
import { loadLanguageScores } from "../../../../src/verify/language/detector.ts";
import { judgeLanguage } from "../../../../src/verify/language/judge-language.ts";
import { findLanguage } from "../../../../src/verify/language/language.ts";
import { TOPICS } from "../../../../src/verify/prompt/topics.ts";

const scores = await loadLanguageScores();
const ENDPOINTS = ["or:a/m@one", "or:a/m@two", "or:a/m@three"];

/** All questions of some rounds in a row, confirmations included. */
function asked(
  contract: (typeof CONTRACTS)[number],
  locale: string | null,
  endpoint: string,
  rounds: number,
) {
  return Array.from({ length: rounds }, (_, round) =>
    [1, 2, 3].map((attempt) => {
      const choice = { contract, locale, endpoint, round_n: round + 7, attempt };
      return contract === "structured" ? structuredPrompt(choice).prompt : choosePrompt(choice);
    }),
  ).flat();
}

test("answers can be asked for in more than seventeen languages", () => {
  expect(PROMPT_LOCALES.length).toBeGreaterThanOrEqual(17);
  expect(PROMPT_LOCALES.filter((locale) => findLanguage(locale)?.code !== locale)).toEqual([]);
});

test.each([...PROMPT_LOCALES])("every question in %s is in that language, whole", (locale) => {
  const language = findLanguage(locale);
  const { frames = [], topics = [] } = promptsOf(locale) ?? {};
  if (language === undefined) throw new Error(locale);

  expect(frames.filter((frame) => frame.split("{}").length !== 2)).toEqual([]);
  for (const frame of frames) {
    const texts = topics.map((topic) => frame.replace("{}", topic));
    expect(texts.filter((text) => judgeLanguage(text, language, scores).result === "fail")).toEqual(
      [],
    );
  }
});

test.each([
  ...CONTRACTS.filter((contract) => contract !== "language").map((contract) => ({
    contract,
    locale: null,
  })),
  ...PROMPT_LOCALES.map((locale) => ({ contract: "language" as const, locale })),
])(
  "two rounds in a row ask for $contract $locale in six different ways",
  ({ contract, locale }) => {
    for (const endpoint of ENDPOINTS) {
      for (const from of [0, 1, 2, 3, 4]) {
        const six = asked(contract, locale, endpoint, from + 2).slice(3 * from);

        expect(new Set(six).size).toBe(6);
      }
    }
  },
);

test("every wording has its turn", () => {
  const { frames = [], topics = [] } = promptsOf("pt") ?? {};
  const all = asked("language", "pt", "or:a/m@one", (frames.length * topics.length) / 3);

  expect(new Set(all).size).toBe(frames.length * topics.length);
});

test("the same round asks the same, and other endpoints something else", () => {
  const first = asked("ttft", null, "or:a/m@one", 1);

  expect(asked("ttft", null, "or:a/m@one", 1)).toEqual(first);
  expect(asked("ttft", null, "or:a/m@two", 1)).not.toEqual(first);
});

test("no question excuses what it is meant to find", () => {
  const texts = [
    ...asked("ttft", null, "x", 12),
    ...asked("filter", null, "x", 12),
    ...PROMPT_LOCALES.flatMap((locale) => asked("language", locale, "x", 6)),
  ];
  // A scene that is to be continued may well begin with a comma.
  const topics = Object.entries(TOPICS).filter(([topic]) => topic !== "continuation");
  const excusing = texts.filter((text) => topics.some(([, pattern]) => pattern.test(text)));

  expect(excusing).toEqual([]);
});

test.each([
  { tag: "pt-BR", locale: "pt" },
  { tag: "zh", locale: "zh-Hans" },
  { tag: "zh-TW", locale: "zh-Hant" },
  { tag: "fil", locale: "tl" },
  { tag: "eu", locale: undefined },
  { tag: "klingon", locale: undefined },
])("$tag is asked in $locale", ({ tag, locale }) => {
  expect(promptLocale(tag)).toBe(locale);
});
