import { expect, test } from "bun:test";

import { contentOfNothing } from "../../../src/protocol/openai/content.ts";
import { judgeEmpty } from "../../../src/verify/empty.ts";

const judged = ({ content, ...rest }: { content?: string } & Record<string, unknown>) =>
  judgeEmpty({
    content: { ...contentOfNothing(), ...(content !== undefined && { [content]: true }) },
    finish: "stop",
    output_tokens: null,
    max_tokens: null,
    is_after_tool_result: false,
    ...rest,
  });

test.each(["text", "tool_calls", "refusal", "media"])(
  "an answer with %s has content",
  (content) => {
    expect(judged({ content, finish: null })).toBe("has_content");
  },
);

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
    content: "reasoning",
    finish: "length",
    verdict: "excused",
  },
  {
    name: "reasoning cut by a vendor's limit",
    content: "reasoning",
    finish: "MAX_TOKENS",
    verdict: "excused",
  },
  { name: "reasoning and a regular stop", content: "reasoning", verdict: "empty" },
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
])("an answer without content and with $name is $verdict", ({ verdict, ...input }) => {
  expect(judged(input)).toBe(verdict);
});
