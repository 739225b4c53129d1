import { expect, test } from "bun:test";

import { checkMessagesBody } from "../../../../src/protocol/anthropic/request/check-body.ts";

const good = { max_tokens: 10, messages: [{ role: "user", content: "q" }] };

test.each([
  { what: "the least", body: good },
  {
    what: "blocks, tools, a system turn",
    body: {
      ...good,
      model: "auto",
      stream: true,
      system: [{ type: "text", text: "s" }],
      tools: [
        { name: "f", input_schema: {} },
        { type: "web_search_20250305", name: "web_search" },
      ],
      messages: [
        { role: "user", content: [{ type: "text", text: "q" }] },
        { role: "system", content: "s" },
      ],
    },
  },
  {
    what: "what the router does not know",
    body: { ...good, context_management: {}, thinking: { type: "future" } },
  },
])("$what is taken", ({ body }) => {
  expect(checkMessagesBody(body)).toBeNull();
});

test.each([
  { name: "temperature", value: "x" },
  { name: "top_k", value: [] },
  { name: "stop_sequences", value: "END" },
  { name: "stop_sequences", value: [4] },
  { name: "thinking", value: true },
  { name: "thinking", value: { budget_tokens: 1024 } },
  { name: "output_config", value: "high" },
  { name: "tool_choice", value: "auto" },
  { name: "metadata", value: "me" },
])("`$name` of a wrong form is refused, not lost: $value", ({ name, value }) => {
  expect(checkMessagesBody({ ...good, [name]: value })).toEqual({
    param: name,
    message: expect.stringContaining(`\`${name}\` must be `),
  });
  expect(checkMessagesBody({ ...good, [name]: null })).toBeNull();
});

test.each([
  { body: [], param: null, says: "JSON object" },
  { body: { ...good, model: 4 }, param: "model", says: "must be a string" },
  { body: { messages: good.messages }, param: "max_tokens", says: "`max_tokens` is missing" },
  { body: { ...good, max_tokens: 0 }, param: "max_tokens", says: "at least 1" },
  { body: { ...good, max_tokens: 1.5 }, param: "max_tokens", says: "whole number" },
  { body: { max_tokens: 1 }, param: "messages", says: "`messages` is missing" },
  { body: { ...good, messages: [] }, param: "messages", says: "at least one message" },
  { body: { ...good, messages: ["q"] }, param: "messages[0]", says: "`role` and `content`" },
  {
    body: { ...good, messages: [{ role: "tool", content: "q" }] },
    param: "messages[0].role",
    says: "`tool_result` blocks",
  },
  {
    body: { ...good, messages: [{ role: "user" }] },
    param: "messages[0].content",
    says: "a text or a list",
  },
  {
    body: { ...good, messages: [{ role: "user", content: null }] },
    param: "messages[0].content",
    says: "a text or a list",
  },
  {
    body: { ...good, messages: [{ role: "user", content: [{ text: "q" }] }] },
    param: "messages[0].content[0]",
    says: "with `type`",
  },
  { body: { ...good, system: null }, param: "system", says: "leave it out" },
  { body: { ...good, system: [{}] }, param: "system[0]", says: "with `type`" },
  { body: { ...good, tools: {} }, param: "tools", says: "a list" },
  { body: { ...good, tools: [{}] }, param: "tools[0]", says: "`input_schema`" },
  {
    body: { ...good, tools: [{ type: "function", function: { name: "f" } }] },
    param: "tools[0]",
    says: "form of chat completions",
  },
  { body: { ...good, stream: "yes" }, param: "stream", says: "true or false" },
])("$param is refused: $says", ({ body, param, says }) => {
  expect(checkMessagesBody(body)).toEqual({ param, message: expect.stringContaining(says) });
});

test("counting tokens asks for no cap", () => {
  expect(checkMessagesBody({ messages: good.messages }, "count")).toBeNull();
});
