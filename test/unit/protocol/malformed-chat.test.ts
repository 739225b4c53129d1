import { describe, expect, test } from "bun:test";

import { FORMATS } from "../../../src/protocol/translate/formats.ts";

const user = { role: "user", content: "q" };
const told = (to: "messages" | "responses", body: object) =>
  FORMATS[to].requestFromChat({ messages: [user], ...body }, { model: "claude-haiku-4-5" });

describe.each([{ to: "messages" as const }, { to: "responses" as const }])("to $to", ({ to }) => {
  test.each([
    { name: "tools", value: {} },
    { name: "tool_choice", value: 5 },
    { name: "tool_choice", value: {} },
    { name: "parallel_tool_calls", value: "no" },
    { name: "response_format", value: "json" },
    { name: "reasoning_effort", value: 5 },
    { name: "stop", value: 5 },
    { name: "user", value: 5 },
  ])("`$name` of a form that chat does not have is named as lost: $value", ({ name, value }) => {
    expect(told(to, { [name]: value }).lossy).toEqual([name]);
  });
});

test.each([
  { part: { type: "image_url", image_url: { url: "data:image/png,%89PNG" } } },
  { part: { type: "file", file: { file_data: "data:application/pdf,%25PDF", filename: "a.pdf" } } },
])("what is not base64 is not sent as if it were", ({ part }) => {
  const { refused } = told("messages", { messages: [{ role: "user", content: [part] }] });

  expect(refused).toEqual([
    { param: expect.any(String), message: expect.stringContaining("base64 `data:` URL") },
  ]);
});
