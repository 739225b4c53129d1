import { expect, test } from "bun:test";

import { verifyOutput } from "../../../src/verify/inspect-output.ts";

test.each([
  { line: { id: 1, completion: 7 }, error: "`completion` must be a string or null" },
  { line: { completion_b64: "%%" }, error: "`completion_b64` is not base64" },
  { line: { prompt_charset: "utf8" }, error: "`prompt_charset` must be `ascii` or `non_ascii`" },
  { line: { max_tokens: "5" }, error: "`max_tokens` must be a number or null" },
  { line: { has_tool_calls: 1 }, error: "`has_tool_calls` must be a boolean or null" },
  { line: { extra: [] }, error: "`extra` must be an object or null" },
])("a line that cannot be judged says $error", ({ line, error }) => {
  expect(verifyOutput(line)).toEqual({ id: line.id ?? null, error });
});

test("members that are null count as left out", () => {
  const nothing = {
    prompt: null,
    completion: null,
    finish_reason: null,
    max_tokens: null,
    extra: null,
  };

  expect(verifyOutput({ id: "a", ...nothing })).toEqual({
    id: "a",
    verdict: "malformed",
    signature: "empty_200",
    attributable: true,
    trips: true,
    scope: "target",
    detail: "empty response",
  });
});

test("calls may be written as chat answers wrap them", () => {
  const call = { id: "1", type: "function", function: { name: "f", arguments: "{" } };

  expect(verifyOutput({ extra: { tools: ["f"], tool_calls: [call] } })).toMatchObject({
    signature: "tool_json_invalid",
  });
});

test("bytes that are UTF-8 are judged as their text", () => {
  const completion_b64 = Buffer.from("café \u00E2\u0080\u0094").toString("base64");

  expect(verifyOutput({ completion_b64 })).toEqual(
    verifyOutput({ completion: "café \u00E2\u0080\u0094" }),
  );
});
