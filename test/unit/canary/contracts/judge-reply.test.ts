import { expect, test } from "bun:test";

import { judgeReply } from "../../../../src/canary/contracts/judge-reply.ts";
import { buildProbe, type ProbeTopic } from "../../../../src/canary/probes/probe.ts";
import type { AnsweredReply, ProbeReply } from "../../../../src/canary/probes/reply.ts";
import { PLAIN_ANSWER } from "../../../../src/verify/answer-facts.ts";
import { loadLanguageScores } from "../../../../src/verify/language/detector.ts";
import { interleave, mangle, TEXTS } from "../../verify/language/texts.ts";
import { anEndpoint, aReply } from "../probes/an-endpoint.ts";

const scores = await loadLanguageScores();
const TURN = { round_n: 3, attempt: 1 };

function judge(topic: Partial<ProbeTopic>, reply: ProbeReply, endpoint = anEndpoint()) {
  const probe = buildProbe(endpoint, { contract: "ttft", locale: null, ...topic }, TURN);
  return judgeReply(probe, reply, scores);
}

const ended = (finish: string | null, facts: Partial<AnsweredReply["answer"]> = {}) => ({
  answer: { ...PLAIN_ANSWER, is_done: true, finish, ...facts },
});
const silent = { text: "", first_text_ms: null };
const JSON_TEXT = '{"name":"Ana","age":34,"level":"plus","interests":["chess","maps"]}';

test.each([
  { what: "text after 9.9 s", reply: { first_text_ms: 9900 }, is: "pass", why: null },
  { what: "text after 10 s", reply: { first_text_ms: 10_000 }, is: "pass", why: null },
  { what: "text after 10.1 s", reply: { first_text_ms: 10_100 }, is: "fail", why: "too_slow" },
  {
    what: "nothing within 10 s",
    reply: { ...silent, ...ended(null), duration_ms: 10_001 },
    is: "fail",
    why: "too_slow",
  },
  {
    what: "reasoning in time and text much later",
    reply: { first_text_ms: 14_000, first_reasoning_ms: 900, duration_ms: 15_000 },
    is: "pass",
    why: null,
  },
  {
    what: "reasoning in time and bad text much later",
    reply: { first_text_ms: 14_000, first_reasoning_ms: 900, text: "，Sure! Goat and moat." },
    is: "fail",
    why: "stray_leading_token",
  },
  {
    what: "reasoning in time that took the whole allowance",
    reply: {
      ...silent,
      ...ended("length", { has_reasoning: true }),
      first_reasoning_ms: 900,
      duration_ms: 20_000,
    },
    is: "pass",
    why: null,
  },
  {
    what: "reasoning in time that ended in nothing",
    reply: {
      ...silent,
      ...ended("stop", { has_reasoning: true }),
      first_reasoning_ms: 900,
      duration_ms: 20_000,
    },
    is: "fail",
    why: "empty_200",
  },
  {
    what: "reasoning in time that had not ended when it was given up",
    reply: {
      ...silent,
      ...ended(null, { has_reasoning: true, is_done: null }),
      first_reasoning_ms: 900,
      duration_ms: 90_000,
    },
    is: "inconclusive",
    why: "still_reasoning",
  },
  {
    what: "reasoning that is late as well",
    reply: { first_text_ms: 14_000, first_reasoning_ms: 11_000 },
    is: "fail",
    why: "too_slow",
  },
  {
    what: "a stream that broke off before any text",
    reply: { ...silent, ...ended(null, { is_done: false }) },
    is: "transport",
    why: "stream_interrupted",
  },
  { what: "an empty answer", reply: { ...silent, ...ended("stop") }, is: "fail", why: "empty_200" },
  {
    what: "an allowance that went into reasoning",
    reply: { ...silent, ...ended("length", { has_reasoning: true, output_tokens: 64 }) },
    is: "inconclusive",
    why: "client_capped_empty",
  },
  {
    what: "a stray token in front",
    reply: { text: "，Sure! Goat, coat and moat." },
    is: "fail",
    why: "stray_leading_token",
  },
] as const)("first text: $what is $is", ({ reply, is, why }) => {
  expect(judge({ contract: "ttft" }, aReply(reply))).toEqual({ result: is, reason: why });
});

test("a probe for the first text is given up only when nothing can be in time any more", () => {
  const { limits } = buildProbe(anEndpoint(), { contract: "ttft", locale: null }, TURN);
  const reply = aReply({ ...silent, ...ended(null), duration_ms: limits.answer_ms });

  expect(judge({}, reply)).toEqual({ result: "fail", reason: "too_slow" });
  expect(limits.status_ms).toBeGreaterThan(limits.answer_ms);
});

test.each([
  { what: "a scene that goes on", reply: {}, is: "pass", why: null },
  {
    what: "a finish reason of a filter",
    reply: { ...silent, ...ended("content_filter") },
    is: "fail",
    why: "content_filter",
  },
  {
    what: "a refusal in words",
    reply: { text: "I'm sorry, but I can't continue this scene." },
    is: "fail",
    why: "refusal_text",
  },
  { what: "silence", reply: { ...silent, ...ended("stop") }, is: "fail", why: "empty_200" },
  {
    what: "a filter behind reasoning in the text",
    reply: { text: "<think>Not that scene.</think>", ...ended("content_filter") },
    is: "fail",
    why: "content_filter",
  },
  {
    what: "a filter behind a doubtful character",
    reply: { text: "The boat\u0007 drifted", ...ended("content_filter") },
    is: "fail",
    why: "content_filter",
  },
  {
    what: "the field that vendors refuse in, behind a doubtful character",
    reply: { text: "The boat\u0007", ...ended("stop", { has_refusal: true }) },
    is: "fail",
    why: "content_filter",
  },
  {
    what: "a refusal behind reasoning in the text",
    reply: { text: "<think>Hm.</think>\n\nI'm sorry, but I can't continue this scene." },
    is: "fail",
    why: "refusal_text",
  },
  {
    what: "a refusal with a doubtful character",
    reply: { text: "I'm sorry, but I can't continue\u0007 this scene." },
    is: "fail",
    why: "refusal_text",
  },
  {
    what: "a scene behind reasoning about refusing",
    reply: { text: "<think>I can't continue this. Or can I?</think>\n\nThe boat drifted on." },
    is: "pass",
    why: null,
  },
  {
    what: "reasoning in the text and nothing else",
    reply: { text: "<think>A dark scene.</think>" },
    is: "fail",
    why: "empty_200",
  },
  {
    what: "reasoning in the text that took the whole allowance",
    reply: { text: "<think>A dark scene, so", ...ended("length") },
    is: "inconclusive",
    why: "client_capped_empty",
  },
  {
    what: "a refusal that breaks off",
    reply: { text: "I'm sorry, but I can't continue", ...ended(null, { is_done: false }) },
    is: "transport",
    why: "stream_interrupted",
  },
  {
    what: "a character who refuses",
    reply: { text: '"I cannot help you," said the old man, and closed the door behind him.' },
    is: "pass",
    why: null,
  },
] as const)("filter: $what is $is", ({ reply, is, why }) => {
  expect(judge({ contract: "filter" }, aReply(reply))).toEqual({ result: is, reason: why });
});

test("a gateway's moderation fails the filter, and no other contract", () => {
  const reply = { kind: "failed", failure: "moderation", status: 403 } as const;

  expect(judge({ contract: "filter" }, reply)).toEqual({
    result: "fail",
    reason: "content_filter",
  });
  expect(judge({ contract: "ttft" }, reply)).toEqual({ result: "transport", reason: "moderation" });
});

test.each([
  { what: "the form", reply: { text: JSON_TEXT }, is: "pass", why: null },
  {
    what: "other values than asked for",
    reply: { text: JSON_TEXT.replace("34", "35") },
    is: "pass",
    why: null,
  },
  {
    what: "a value that is not on the list",
    reply: { text: JSON_TEXT.replace("plus", "gold") },
    is: "fail",
    why: "schema_violation",
  },
  {
    what: "a number as text",
    reply: { text: JSON_TEXT.replace("34", '"34"') },
    is: "fail",
    why: "schema_violation",
  },
  {
    what: "a code fence",
    reply: { text: `\`\`\`json\n${JSON_TEXT}\n\`\`\`` },
    is: "fail",
    why: "structured_fenced",
  },
  {
    what: "half of it",
    reply: { text: JSON_TEXT.slice(0, 30) },
    is: "fail",
    why: "structured_invalid",
  },
  {
    what: "a refusal, which a repair would make JSON of",
    reply: { text: "I cannot help with that." },
    is: "fail",
    why: "structured_invalid",
  },
  {
    what: "an allowance that ran out",
    reply: { text: JSON_TEXT.slice(0, 30), ...ended("length", { output_tokens: 300 }) },
    is: "inconclusive",
    why: "client_capped_json",
  },
] as const)("structured: $what is $is", ({ reply, is, why }) => {
  expect(judge({ contract: "structured" }, aReply(reply))).toEqual({ result: is, reason: why });
});

test.each([
  {
    what: "the language",
    locale: "pt",
    text: TEXTS["pt"],
    verdict: { result: "pass", detected: "pt" },
  },
  {
    what: "another language",
    locale: "pt",
    text: TEXTS["es"],
    verdict: { result: "fail", reason: "language_drift", detected: "es" },
  },
  {
    what: "two languages",
    locale: "pt",
    text: interleave(TEXTS["pt"] ?? "", TEXTS["es"] ?? ""),
    verdict: { result: "fail", reason: "code_mixing", detected: "es" },
  },
  {
    what: "a broken encoding, though the question was not ASCII",
    locale: "ru",
    text: mangle(TEXTS["ru"] ?? ""),
    verdict: { result: "fail", reason: "mojibake" },
  },
  {
    what: "a stray token in front",
    locale: "pt",
    text: `） ${TEXTS["pt"]}`,
    verdict: { result: "fail", reason: "stray_leading_token" },
  },
  {
    what: "a refusal, which says nothing of the language",
    locale: "pt",
    text: "Sinto muito, mas não posso continuar.",
    verdict: { result: "inconclusive", reason: "refusal_text" },
  },
  {
    what: "the language behind reasoning in another",
    locale: "pt",
    text: `<think>${TEXTS["en"]}</think>\n\n${TEXTS["pt"]}`,
    verdict: { result: "pass", detected: "pt" },
  },
  {
    what: "a refusal in another language, behind reasoning",
    locale: "pt",
    text: `<think>${TEXTS["pt"]}</think>\n\nI'm sorry, but I can't continue this scene.`,
    verdict: { result: "inconclusive", reason: "refusal_text" },
  },
  {
    what: "a word",
    locale: "pt",
    text: "Claro!",
    verdict: { result: "inconclusive", reason: "too_short" },
  },
] as const)("language: $what is $verdict.result", ({ locale, text, verdict }) => {
  const judged = judge({ contract: "language", locale }, aReply({ text: text ?? "" }));

  expect(judged).toMatchObject(verdict);
});

test.each([
  {
    what: "no answer",
    reply: { kind: "failed", failure: "timeout", status: null },
    why: "timeout",
  },
  {
    what: "a full queue",
    reply: { kind: "failed", failure: "rate_limit", status: 429 },
    why: "rate_limit",
  },
  {
    what: "another host's answer",
    reply: aReply({ answered_by: "Novita" }),
    why: "answered_by_other",
  },
  {
    what: "an answer of nobody knows whom",
    reply: aReply({ answered_by: null }),
    why: "answered_by_other",
  },
] as const)("$what is no verdict on the host", ({ reply, why }) => {
  expect(judge({ contract: "language", locale: "pt" }, reply)).toEqual({
    result: "transport",
    reason: why,
  });
});

test.each([
  { contract: "filter", text: "", first_text_ms: null },
  { contract: "language", text: "", first_text_ms: null },
  { contract: "structured", text: '{"name": "An', first_text_ms: 700 },
] as const)("$contract: who is given up before there is enough to judge is not blamed", (given) => {
  const { contract, ...came } = given;
  const locale = contract === "language" ? "pt" : null;
  const { answer_ms } = buildProbe(anEndpoint(), { contract, locale }, TURN).limits;
  const reply = aReply({ ...came, ...ended(null), duration_ms: answer_ms });

  expect(judge({ contract, locale }, reply)).toEqual({ result: "transport", reason: "timeout" });
});

test("a target of its own need not say who answered", () => {
  const endpoint = anEndpoint({ key: "nim:q", host: null, host_name: null });

  expect(judge({}, aReply({ answered_by: null }), endpoint).result).toBe("pass");
});
