import { expect, test } from "bun:test";

import { checkResponsesBody } from "../../../../src/protocol/responses/check-body.ts";

const body = (members: object) => ({ model: "m", input: "hi", ...members });

test.each([
  { name: "a text", value: body({}) },
  { name: "no model", value: { input: "hi" } },
  { name: "items of any kind", value: body({ input: [{ type: "thing_of_tomorrow" }] }) },
  { name: "an easy message", value: body({ input: [{ role: "user", content: "hi" }] }) },
  { name: "a template instead of input", value: { model: "m", prompt: { id: "p" } } },
  { name: "nulls", value: body({ tools: null, tool_choice: null, stream: null, text: null }) },
  { name: "server tools", value: body({ tools: [{ type: "web_search" }], tool_choice: "auto" }) },
])("$name is a body", ({ value }) => {
  expect(checkResponsesBody(value)).toBeNull();
});

const deep = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));

test.each([
  { name: "no object", value: [], param: null, words: "JSON object" },
  {
    name: "a bottomless body",
    value: body({ text: deep(5000) }),
    param: null,
    words: "too deeply",
  },
  { name: "no input", value: { model: "m" }, param: "input", words: "is missing" },
  { name: "a chat body", value: { messages: [] }, param: "input", words: "/v1/chat/completions" },
  { name: "no items", value: body({ input: [] }), param: "input", words: "at least one" },
  { name: "an item of text", value: body({ input: ["x"] }), param: "input[0]", words: "an object" },
  { name: "an item of no type", value: body({ input: [{}] }), param: "input[0]", words: "`role`" },
  {
    name: "a tool's role",
    value: body({ input: [{ role: "tool", content: "x" }] }),
    param: "input[0].role",
    words: "function_call_output",
  },
  {
    name: "a message without content",
    value: body({ input: [{ role: "user" }] }),
    param: "input[0].content",
    words: "input_text",
  },
  {
    name: "a part without a type",
    value: body({ input: [{ role: "user", content: [{ text: "x" }] }] }),
    param: "input[0].content[0]",
    words: "input_text",
  },
  {
    name: "a result without its call",
    value: body({ input: [{ type: "function_call_output", output: "x" }] }),
    param: "input[0].call_id",
    words: "function_call_output",
  },
  {
    name: "a chat tool",
    value: body({ tools: [{ type: "function", function: { name: "f" } }] }),
    param: "tools[0].name",
    words: "form of chat completions",
  },
  {
    name: "a nameless tool",
    value: body({ tools: [{ type: "custom" }] }),
    param: "tools[0].name",
    words: "add the name",
  },
  {
    name: "a strange choice",
    value: body({ tool_choice: "maybe" }),
    param: "tool_choice",
    words: "auto, none",
  },
  {
    name: "a cap of nothing",
    value: body({ max_output_tokens: 0 }),
    param: "max_output_tokens",
    words: "at least 1",
  },
  {
    name: "a stream of words",
    value: body({ stream: "yes" }),
    param: "stream",
    words: "true or false",
  },
  {
    name: "effort as a word",
    value: body({ reasoning: "high" }),
    param: "reasoning",
    words: "effort",
  },
])("$name is told with what to change", ({ value, param, words }) => {
  const found = checkResponsesBody(value);

  expect(found?.param).toBe(param);
  expect(found?.message).toContain(words);
});
