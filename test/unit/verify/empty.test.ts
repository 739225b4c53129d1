import { expect, test } from "bun:test";

import { type AnswerFacts, PLAIN_ANSWER } from "../../../src/verify/answer-facts.ts";
import { profileOfText } from "../../../src/verify/prompt/prompt-profile.ts";
import { BARE_REQUEST, type RequestFacts } from "../../../src/verify/prompt/request-facts.ts";
import { createScanner } from "../../../src/verify/scanner.ts";

interface Silent extends Partial<AnswerFacts>, Partial<RequestFacts> {
  readonly name?: string;
  readonly text?: string;
}

/** The signature of an answer without text, unless it is given one. */
function signatureOf({ text = "", ...facts }: Silent): string | null {
  const request = { ...BARE_REQUEST, ...facts };
  const scanner = createScanner({ prompt: profileOfText("hi"), request });
  scanner.push(text);
  return scanner.end({ ...PLAIN_ANSWER, finish: "stop", ...facts }).verdict.signature;
}

test.each([
  { name: "text", text: "yes" },
  { name: "tool calls", has_tool_calls: true },
  { name: "a refusal", has_refusal: true },
  { name: "media", has_media: true },
])("an answer with $name is not empty", (answer) => {
  expect(signatureOf({ ...answer, finish: null })).not.toBe("empty_200");
});

test.each([
  { name: "nothing at all", verdict: "empty" },
  { name: "no finish reason", finish: null, verdict: "empty" },
  { name: "zero tokens counted", output_tokens: 0, verdict: "empty" },
  { name: "tokens counted and nothing shown", output_tokens: 50, verdict: "empty" },
  { name: "a tool-call finish without calls", finish: "tool_calls", verdict: "empty" },
  { name: "a filter", finish: "content_filter", verdict: "excused" },
  { name: "a vendor's filter", finish: "SAFETY", verdict: "excused" },
  {
    name: "reasoning cut by the limit",
    has_reasoning: true,
    finish: "length",
    verdict: "excused",
  },
  {
    name: "reasoning cut by a vendor's limit",
    has_reasoning: true,
    finish: "MAX_TOKENS",
    verdict: "excused",
  },
  { name: "reasoning and a regular stop", has_reasoning: true, verdict: "empty" },
  {
    name: "the limit without any cap of the client",
    finish: "length",
    output_tokens: 4096,
    verdict: "empty",
  },
  {
    name: "the client's cap used up",
    finish: "length",
    output_tokens: 64,
    max_tokens: 64,
    verdict: "excused",
  },
  {
    name: "nine tenths of the client's cap",
    finish: "length",
    output_tokens: 90,
    max_tokens: 100,
    verdict: "excused",
  },
  {
    name: "far less than the client's cap",
    finish: "length",
    output_tokens: 3,
    max_tokens: 4096,
    verdict: "empty",
  },
  { name: "a cap and nobody counted", finish: "length", max_tokens: 64, verdict: "excused" },
  {
    name: "a cap, but the context window was full before it",
    finish: "model_context_window_exceeded",
    max_tokens: 64,
    verdict: "empty",
  },
  {
    name: "a cap that does not matter after a stop",
    output_tokens: 64,
    max_tokens: 64,
    verdict: "empty",
  },
  { name: "a cap of one token", max_tokens: 1, verdict: "excused" },
  { name: "a cap of none", max_tokens: 0, output_tokens: 0, verdict: "excused" },
  {
    name: "silence after a tool result",
    is_after_tool_result: true,
    output_tokens: 2,
    verdict: "excused",
  },
  {
    name: "silence after a tool result that cost nothing",
    is_after_tool_result: true,
    output_tokens: 0,
    verdict: "empty",
  },
  {
    name: "silence after a tool result that nobody counted",
    is_after_tool_result: true,
    verdict: "empty",
  },
])("an answer without content and with $name is $verdict", ({ verdict, ...facts }) => {
  expect(signatureOf(facts) === "empty_200" ? "empty" : "excused").toBe(verdict);
});
