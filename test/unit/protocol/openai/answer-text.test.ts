import { expect, test } from "bun:test";

import {
  chatText,
  completionText,
  functionCalls,
} from "../../../../src/protocol/openai/answer-text.ts";
import { createStreamReader } from "../../../../src/protocol/openai/stream.ts";
import { createFramer } from "../../../../src/protocol/sse/framer.ts";

test.each([
  { name: "plain text", message: { content: "hi" }, text: "hi" },
  { name: "no text", message: { content: null, reasoning: "hm" }, text: "" },
  {
    name: "parts, without the thinking among them",
    message: {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
        { type: "text", text: "a" },
        { type: "text", text: "b" },
      ],
    },
    text: "ab",
  },
  { name: "a refusal beside it", message: { content: "", refusal: "no" }, text: "" },
])("the text of a message: $name", ({ message, text }) => {
  expect(chatText(message)).toBe(text);
});

test("the text of a completion is its `text`, if that is one", () => {
  expect([completionText({ text: "x" }), completionText({ text: null })]).toEqual(["x", ""]);
});

test("functions called by a message are told with what they are given, custom tools are not", () => {
  const calls = functionCalls({
    tool_calls: [
      { id: "1", type: "function", function: { name: "f", arguments: '{"a":1}' } },
      { id: "2", type: "function", function: { arguments: { b: 2 } } },
      { id: "3", type: "custom", custom: { name: "shell", input: "ls" } },
    ],
    function_call: { name: "old", arguments: "" },
  });

  expect(calls).toEqual([
    { name: "f", arguments: '{"a":1}' },
    { name: "", arguments: { b: 2 } },
    { name: "old", arguments: "" },
  ]);
});

function follow(dialect: "chat" | "completions", chunks: readonly object[]) {
  const texts: [number, string][] = [];
  const reader = createStreamReader({
    dialect,
    drop_usage: false,
    newId: () => "id",
    onEdit: () => undefined,
    onText: (choice, text) => void texts.push([choice, text]),
  });
  const framer = createFramer({ max_frame: 1e9 });
  const bytes = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
  for (const frame of framer.push(new TextEncoder().encode(bytes)).frames) reader.read(frame);
  return { texts, choices: reader.choices() };
}

test("the text of a stream is told delta by delta, with its choice", () => {
  const { texts } = follow("chat", [
    { choices: [{ index: 0, delta: { role: "assistant", content: "" } }] },
    {
      choices: [
        { index: 1, delta: { content: "b" } },
        { index: 0, delta: { content: "a", reasoning: "hm" } },
      ],
    },
    { choices: [{ index: 0, delta: { content: [{ type: "text", text: "c" }] } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ]);

  expect(texts).toEqual([
    [1, "b"],
    [0, "a"],
    [0, "c"],
  ]);
});

test("the text of a completions stream is that of its `text`", () => {
  expect(follow("completions", [{ choices: [{ index: 0, text: "x" }] }]).texts).toEqual([[0, "x"]]);
});

const call = (index: number, part: object) => ({
  choices: [{ index: 0, delta: { tool_calls: [{ index, ...part }] } }],
});

test("what each choice of a stream came to is told with its calls put together", () => {
  const { choices } = follow("chat", [
    call(0, { id: "c1", function: { name: "f", arguments: "" } }),
    call(0, { function: { arguments: '{"a"' } }),
    call(0, { function: { arguments: ":1}" } }),
    call(1, { id: "c2", function: { name: "g", arguments: { b: 2 } } }),
    call(2, { id: "c3", type: "custom", custom: { name: "shell", input: "ls" } }),
    { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  ]);

  expect(choices.get(0)).toMatchObject({
    content: { tool_calls: true, text: false },
    finish: "tool_calls",
    calls: [
      { name: "f", arguments: '{"a":1}' },
      { name: "g", arguments: '{"b":2}' },
    ],
  });
});

const legacy = (part: object) => ({ choices: [{ index: 0, delta: { function_call: part } }] });

test("a legacy function call is put together like any other", () => {
  const { choices } = follow("chat", [
    legacy({ name: "f", arguments: "" }),
    legacy({ name: null, arguments: '{"a"' }),
    legacy({ arguments: ":1}" }),
    { choices: [{ index: 0, delta: {}, finish_reason: "function_call" }] },
  ]);

  expect(choices.get(0)).toMatchObject({
    content: { tool_calls: true, text: false },
    finish: "function_call",
    calls: [{ name: "f", arguments: '{"a":1}' }],
  });
});

test("arguments too long to be kept are not half kept", () => {
  const { choices } = follow("chat", [
    call(0, { id: "c1", function: { name: "f", arguments: `{"a":"${"x".repeat(600_000)}` } }),
    call(0, { function: { arguments: "y".repeat(600_000) } }),
    call(0, { function: { arguments: '"}' } }),
  ]);

  expect(choices.get(0)?.calls).toEqual([{ name: "f", arguments: undefined }]);
});
