import { expect, test } from "bun:test";

import { BARE_REQUEST, readRequestFacts } from "../../../src/verify/prompt/request-facts.ts";

const schema = { type: "object" };

test.each([
  { name: "nothing", body: {}, facts: {} },
  { name: "a cap", body: { max_tokens: 5 }, facts: { max_tokens: 5 } },
  {
    name: "the newer of two caps",
    body: { max_tokens: 5, max_completion_tokens: 9 },
    facts: { max_tokens: 9 },
  },
  { name: "a cap of responses", body: { max_output_tokens: 7 }, facts: { max_tokens: 7 } },
  {
    name: "tools",
    body: { tools: [{ type: "function", function: { name: "f" } }, { name: "g" }, {}, null] },
    facts: { tools: ["f", "g"] },
  },
  { name: "legacy functions", body: { functions: [{ name: "h" }] }, facts: { tools: ["h"] } },
  {
    name: "a schema",
    body: { response_format: { type: "json_schema", json_schema: { name: "x", schema } } },
    facts: { format: { kind: "json_schema", schema } },
  },
  {
    name: "any JSON",
    body: { response_format: { type: "json_object" } },
    facts: { format: { kind: "json_object", schema: null } },
  },
  {
    name: "a format of responses",
    body: { text: { format: { type: "json_schema", schema } } },
    facts: { format: { kind: "json_schema", schema } },
  },
  { name: "a model that repeats", body: { model: "sim:echo" }, facts: { asks_for_echo: true } },
  {
    name: "a model that repeats, with params",
    body: { model: "Echo?delay=5" },
    facts: { asks_for_echo: true },
  },
  { name: "a model that sounds alike", body: { model: "box:echo-7b" }, facts: {} },
  { name: "plain text", body: { response_format: { type: "text" } }, facts: {} },
  {
    name: "a prefilled turn",
    body: { messages: [{ role: "user" }, { role: "assistant", content: "So" }] },
    facts: { is_prefilled: true },
  },
  { name: "a legacy prompt", body: { prompt: "Once" }, facts: { is_prefilled: true } },
  {
    name: "a tool result",
    body: { messages: [{ role: "tool", content: "ok" }] },
    facts: { is_after_tool_result: true },
  },
  {
    name: "a tool result of the messages dialect",
    body: { messages: [{ role: "user", content: [{ type: "tool_result" }] }] },
    facts: { is_after_tool_result: true },
  },
  {
    name: "a tool result of responses",
    body: { input: [{ type: "function_call_output", output: "ok" }] },
    facts: { is_after_tool_result: true },
  },
])("a request with $name", ({ body, facts }) => {
  expect(readRequestFacts(body)).toEqual({ ...BARE_REQUEST, ...facts });
});
