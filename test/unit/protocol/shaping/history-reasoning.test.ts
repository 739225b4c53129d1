import { expect, test } from "bun:test";

import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { calling, messagesOf, result, sentTo, shaped, user } from "./shaped.ts";

interface Thought {
  readonly name: string;
  readonly type: string;
  readonly model?: string;
  readonly said: JsonObject;
  readonly left: JsonObject;
  readonly lossy?: readonly string[];
}

const THOUGHTS: readonly Thought[] = [
  {
    name: "DeepSeek gets its own reasoning back",
    type: "deepseek",
    model: "deepseek-v4",
    said: { reasoning_content: "r" },
    left: { reasoning_content: "r" },
  },
  {
    name: "another vendor's goes where DeepSeek reads it",
    type: "deepseek",
    model: "deepseek-v4",
    said: { reasoning: "r" },
    left: { reasoning_content: "r" },
  },
  {
    name: "null is no reasoning",
    type: "deepseek",
    model: "deepseek-v4",
    said: { reasoning_content: null, reasoning: "r" },
    left: { reasoning_content: "r" },
  },
  {
    name: "a thinking DeepSeek wants it with every turn",
    type: "deepseek",
    model: "DeepSeek-V4",
    said: {},
    left: { reasoning_content: "" },
  },
  { name: "one that does not think wants none", type: "deepseek", said: {}, left: {} },
  {
    name: "Mistral's thoughts in DeepSeek's words",
    type: "deepseek",
    model: "deepseek-v4",
    said: {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "r1" }] },
        { type: "text", text: "a" },
        { type: "thinking", thinking: "r2" },
        { type: "text", text: "b" },
      ],
    },
    left: { content: "ab", reasoning_content: "r1r2" },
  },
  {
    name: "Groq rejects the usual member and reads another",
    type: "groq",
    said: { reasoning_content: "r" },
    left: { reasoning: "r" },
  },
  {
    name: "of two with the same thought Groq gets its own",
    type: "groq",
    said: { reasoning_content: "r", reasoning: "r" },
    left: { reasoning: "r" },
    lossy: ["messages.reasoning_content"],
  },
  {
    name: "Cerebras too",
    type: "cerebras",
    said: { reasoning_content: "r", reasoning_details: [{ type: "reasoning.text" }] },
    left: { reasoning: "r" },
    lossy: ["messages.reasoning_details"],
  },
  {
    name: "a Mistral that thinks reads it in the content",
    type: "mistral",
    model: "magistral-medium-latest",
    said: { content: "a", reasoning_content: "r", reasoning: "r" },
    left: {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "r" }] },
        { type: "text", text: "a" },
      ],
    },
  },
  {
    name: "also where it called without a word",
    type: "mistral",
    model: "mistral-small-latest",
    said: { reasoning: "r" },
    left: { content: [{ type: "thinking", thinking: [{ type: "text", text: "r" }] }] },
  },
  {
    name: "Mistral rejects every member it does not know",
    type: "mistral",
    model: "mistral-large-latest",
    said: { reasoning_content: "r", refusal: null, annotations: [], name: "n" },
    left: {},
    lossy: ["messages.reasoning_content", "messages.name"],
  },
  {
    name: "Mistral gets its own thoughts back",
    type: "mistral",
    said: { content: [{ type: "thinking", thinking: [] }] },
    left: { content: [{ type: "thinking", thinking: [] }] },
  },
  {
    name: "OpenRouter gets its details back as they are",
    type: "openrouter",
    said: { reasoning: "r", reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] },
    left: { reasoning: "r", reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] },
  },
  {
    name: "OpenAI has no reasoning in chat",
    type: "openai",
    said: { reasoning_content: "r", refusal: null, content: [{ type: "thinking", thinking: "x" }] },
    left: { refusal: null, content: null },
    lossy: ["messages.thinking", "messages.reasoning_content"],
  },
  {
    name: "Gemini knows no member of others",
    type: "gemini",
    model: "gemini-2.5-pro",
    said: { reasoning_content: "r", cache_control: { type: "ephemeral" } },
    left: {},
    lossy: ["messages.reasoning_content", "messages.cache_control"],
  },
  {
    name: "Moonshot reads the usual member",
    type: "moonshot",
    model: "kimi-k2.5",
    said: { reasoning: "r" },
    left: { reasoning_content: "r" },
  },
];

test.each(THOUGHTS)("$name", ({ type, model = "m", said, left, lossy = [] }) => {
  // Ids that Mistral takes, so that nothing but the reasoning changes.
  const body = { messages: [user, calling(said, "abcdef123"), result("abcdef123")] };
  const got = shaped(JSON.stringify(body), { type, model, pinned: true });

  expect({ sent: JSON.parse(got.text), lossy: got.lossy, refused: got.refused }).toEqual({
    sent: { messages: [user, calling(left, "abcdef123"), result("abcdef123")] },
    lossy: [...lossy],
    refused: [],
  });
});

test.each([
  { body: { thinking: { type: "disabled" } }, model: "deepseek-v4", left: undefined },
  { body: { reasoning_effort: "none" }, model: "deepseek-v4", left: undefined },
  { body: { thinking: { type: "enabled" } }, model: "deepseek-chat", left: "" },
])("$model with $body is back-filled with $left", ({ body, model, left }) => {
  const sent = sentTo({ type: "deepseek", model }, { ...body, messages: [user, calling()] });

  expect(messagesOf(sent)[1]?.["reasoning_content"]).toBe(left);
});
