import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { demandsOf } from "../../../src/routing/demands.ts";
import { estimateNeed, neededWindow } from "../../../src/routing/need.ts";

const user = (content: unknown) => ({ role: "user", content });

describe("the tokens of a chat", () => {
  // Each message adds the four characters of its role, `user`.
  test.each<{ what: string; body: object; tokens: number }>([
    { what: "nothing", body: {}, tokens: 0 },
    { what: "four characters a token", body: { messages: [user("x".repeat(396))] }, tokens: 100 },
    { what: "rounded up", body: { messages: [user("x")] }, tokens: 2 },
    {
      what: "all messages",
      body: { messages: [user("x".repeat(396)), user("y".repeat(396))] },
      tokens: 200,
    },
    {
      what: "the parts of a message",
      body: { messages: [user([{ type: "text", text: "x".repeat(392) }])] },
      tokens: 100,
    },
    {
      what: "tool definitions",
      body: { tools: [{ type: "function", function: { name: "n".repeat(392) } }] },
      tokens: 100,
    },
    {
      what: "tool calls and their results",
      body: {
        messages: [
          { role: "assistant", tool_calls: [{ function: { arguments: "x".repeat(391) } }] },
          { role: "tool", content: "y".repeat(396) },
        ],
      },
      tokens: 200,
    },
    {
      what: "an answer's schema",
      body: { response_format: { type: "json_schema", schema: "x".repeat(389) } },
      tokens: 100,
    },
    {
      what: "a third of the bytes where much is not ASCII",
      body: { messages: [user("漢".repeat(296))] },
      tokens: 298,
    },
    {
      what: "a quarter of the characters where little is",
      body: { messages: [user("é".repeat(20) + "x".repeat(376))] },
      tokens: 100,
    },
    {
      what: "no images and no audio",
      body: {
        messages: [
          user([
            { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(9999)}` } },
            { type: "input_audio", input_audio: { data: "A".repeat(9999), format: "wav" } },
          ]),
        ],
      },
      tokens: 7,
    },
  ])("are those of $what: $tokens", ({ body, tokens }) => {
    expect(estimateNeed({ ...body }, "chat").input_tokens).toBe(tokens);
  });

  test("700,000 characters do not fit where 128,000 tokens do", () => {
    const need = estimateNeed({ messages: [user("word ".repeat(140_000))] }, "chat");

    expect(neededWindow(need)).toBe(175_001);
  });

  test.each([
    { body: { max_tokens: 100 }, cap: 100 },
    { body: { max_tokens: 100, max_completion_tokens: 50 }, cap: 50 },
    { body: { max_tokens: null }, cap: null },
    { body: { max_tokens: "100" }, cap: null },
    { body: { max_tokens: -1 }, cap: null },
    { body: {}, cap: null },
  ])("leave room for the answer that $body asks for: $cap", ({ body, cap }) => {
    const need = estimateNeed({ messages: [user("x".repeat(396))], ...body }, "chat");

    expect(need).toEqual({ input_tokens: 100, max_output_tokens: cap });
    expect(neededWindow(need)).toBe(100 + (cap ?? 0));
  });
});

test.each<{ dialect: "completions" | "embeddings"; body: object; tokens: number }>([
  { dialect: "completions", body: { prompt: "x".repeat(400) }, tokens: 100 },
  { dialect: "completions", body: { prompt: [1, 2, 3] }, tokens: 3 },
  { dialect: "completions", body: { prompt: ["x".repeat(40), "x".repeat(400)] }, tokens: 100 },
  { dialect: "embeddings", body: { input: "x".repeat(400) }, tokens: 100 },
  { dialect: "embeddings", body: { input: ["x".repeat(400), "x".repeat(400)] }, tokens: 100 },
  {
    dialect: "embeddings",
    body: {
      input: [
        [1, 2],
        [1, 2, 3],
      ],
    },
    tokens: 3,
  },
  { dialect: "embeddings", body: { input: [], max_tokens: 9 }, tokens: 0 },
])("each $dialect input needs a window of its own ($body)", ({ dialect, body, tokens }) => {
  const need = estimateNeed({ ...body }, dialect);

  expect(need).toEqual({ input_tokens: tokens, max_output_tokens: null });
});

const tokens = (content: unknown) => estimateNeed({ messages: content }, "chat").input_tokens;

test("any JSON has an estimate, and more text never has a smaller one", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      expect(tokens([value])).toBeGreaterThanOrEqual(0);
      expect(tokens([text, "more"])).toBeGreaterThanOrEqual(tokens([text]));
    }),
  );
});

test.each<{ body: object; demands: string[] }>([
  { body: {}, demands: [] },
  { body: { tools: [] }, demands: [] },
  { body: { tools: [{}] }, demands: ["tools"] },
  { body: { functions: [{}] }, demands: ["tools"] },
  { body: { tools: [{}], tool_choice: "none" }, demands: [] },
  { body: { response_format: { type: "text" } }, demands: [] },
  { body: { response_format: { type: "json_object" } }, demands: ["json"] },
  { body: { response_format: { type: "json_schema" } }, demands: ["json"] },
  { body: { messages: [user("an image_url in words")] }, demands: [] },
  { body: { messages: [user([{ type: "text" }, { type: "image_url" }])] }, demands: ["vision"] },
  { body: { messages: [null, user([null])] }, demands: [] },
  {
    body: { tools: [{}], messages: [user([{ type: "image_url" }])] },
    demands: ["tools", "vision"],
  },
])("$body demands $demands", ({ body, demands }) => {
  expect<string[]>([...demandsOf({ ...body }, "chat")]).toEqual(demands);
  expect(demandsOf({ ...body }, "completions")).toEqual([]);
});
