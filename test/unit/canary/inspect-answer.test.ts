import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { inspectAnswer, isProbeAnswer } from "../../../src/canary/inspect-answer.ts";
import { loadLanguageScores } from "../../../src/verify/language/detector.ts";
import type { LabelledOutput } from "../../support/labelled-outputs.ts";

const scores = await loadLanguageScores();
const labelled = readFileSync("test/fixtures/verify/outputs.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line): LabelledOutput => JSON.parse(line))
  .filter(({ line }) => isProbeAnswer(line));

test("there are answers to probes that people have judged", () => {
  expect(labelled).toHaveLength(12);
});

test.each([...labelled])("$id is judged as people judged it", ({ id, line, expected }) => {
  expect<object>(inspectAnswer(line, scores)).toEqual({ id, ...expected });
});

const TURKISH =
  "Bu sabah limana indim çünkü fırın hâlâ kapalıydı. Yaşlı bir adam ağlarını onarıyordu.";

test.each([
  {
    what: "what the router counts anyway comes before the language",
    line: { id: 1, completion: "", extra: { mode: "canary", expected_lang: "tr" } },
    answer: { verdict: "malformed", signature: "empty_200" },
  },
  {
    what: "bytes are read as they came",
    line: {
      id: 1,
      completion_b64: new TextEncoder().encode(TURKISH).toBase64(),
      extra: { mode: "canary", expected_lang: "tr" },
    },
    answer: { verdict: "ok", signature: null },
  },
  {
    what: "without a language the answer is judged as any other",
    line: { id: 1, completion: TURKISH, extra: { mode: "canary" } },
    answer: { verdict: "ok", detail: "beyond ASCII" },
  },
  {
    what: "a language that is none is named",
    line: { id: 1, completion: TURKISH, extra: { mode: "canary", expected_lang: "turkish" } },
    answer: {
      error: expect.stringContaining("`extra.expected_lang`: `turkish` is no known language"),
    },
  },
])("$what", ({ line, answer }) => {
  expect<object>(inspectAnswer(line, scores)).toMatchObject({ id: 1, ...answer });
});
