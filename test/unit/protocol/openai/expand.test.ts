import { expect, test } from "bun:test";

import { expandAnswer } from "../../../../src/protocol/openai/expand.ts";
import { countedIds, framesOf, readStream } from "./read-stream.ts";

function expanded(
  body: Readonly<Record<string, unknown>>,
  {
    dialect = "chat",
    include_usage = false,
  }: { dialect?: "chat" | "completions"; include_usage?: boolean } = {},
) {
  const text = expandAnswer(body, { dialect, include_usage, newId: countedIds() });
  const frames = framesOf(text).map(({ data }) => data);
  return {
    text,
    chunks: frames.slice(0, -1).map((data): unknown => JSON.parse(data ?? "")),
    last: frames.at(-1),
  };
}

const usage = { prompt_tokens: 1, completion_tokens: 2 };

test("an answer becomes content, finish and `[DONE]`", () => {
  const { chunks, last } = expanded({
    id: "x",
    object: "chat.completion",
    model: "m",
    service_tier: "flex",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "ok" },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage,
  });

  const head = { id: "x", object: "chat.completion.chunk", model: "m", service_tier: "flex" };
  expect(chunks).toEqual([
    {
      ...head,
      choices: [
        {
          index: 0,
          delta: { role: "assistant", content: "ok" },
          logprobs: null,
          finish_reason: null,
        },
      ],
    },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ]);
  expect(last).toBe("[DONE]");
});

test("usage comes as the chunk of its own that a client asked for, and only then", () => {
  const body = {
    choices: [{ index: 0, message: { content: "ok" }, finish_reason: "stop" }],
    usage,
  };

  expect(expanded(body, { include_usage: true }).chunks.at(-1)).toEqual({
    object: "chat.completion.chunk",
    choices: [],
    usage,
  });
  expect(expanded(body).text).not.toContain("usage");
  expect(expanded({ ...body, usage: null }, { include_usage: true }).text).not.toContain("usage");
});

test("a legacy answer becomes a legacy stream", () => {
  const { chunks } = expanded(
    {
      id: "x",
      object: "text_completion",
      choices: [{ index: 0, text: "ok", logprobs: null, finish_reason: "length" }],
    },
    { dialect: "completions" },
  );

  expect(chunks).toEqual([
    {
      id: "x",
      object: "text_completion",
      choices: [{ index: 0, text: "ok", logprobs: null, finish_reason: null }],
    },
    {
      id: "x",
      object: "text_completion",
      choices: [{ index: 0, text: "", finish_reason: "length" }],
    },
  ]);
});

test("every choice has its own content and finish", () => {
  const { chunks } = expanded({
    choices: [
      { message: { content: "a" }, finish_reason: "stop" },
      { message: { content: "b" }, finish_reason: "length" },
    ],
  });

  expect(chunks).toMatchObject([
    { choices: [{ index: 0, delta: { content: "a" } }] },
    { choices: [{ index: 1, delta: { content: "b" } }] },
    { choices: [{ index: 0, finish_reason: "stop" }] },
    { choices: [{ index: 1, finish_reason: "length" }] },
  ]);
});

test.each([
  {
    name: "no index",
    call: { id: "a", type: "function", function: { name: "f", arguments: "{}" } },
    id: "a",
    text: "{}",
  },
  {
    name: "no id and no type",
    call: { function: { name: "f", arguments: "{}" } },
    id: "new-1",
    text: "{}",
  },
  {
    name: "an empty id and type",
    call: { id: "", type: "", function: { name: "f", arguments: "{}" } },
    id: "new-1",
    text: "{}",
  },
  {
    name: "arguments as an object",
    call: { id: "a", function: { name: "f", arguments: { x: 1 } } },
    id: "a",
    text: '{"x":1}',
  },
  {
    name: "arguments null",
    call: { id: "a", function: { name: "f", arguments: null } },
    id: "a",
    text: "",
  },
])("a tool call with $name becomes a fragment that SDKs can read", ({ call, id, text }) => {
  const { text: stream, chunks } = expanded({
    choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: "stop" }],
  });

  expect(chunks[0]).toMatchObject({
    choices: [
      {
        delta: {
          tool_calls: [
            { index: 0, id, type: "function", function: { name: "f", arguments: text } },
          ],
        },
      },
    ],
  });
  expect(readStream(stream)).toMatchObject({ out: stream, edits: [] });
});

test.each([
  { name: "none", reason: undefined, calls: [], finish: "stop" },
  { name: "an empty one", reason: "", calls: [], finish: "stop" },
  { name: "a vendor's word", reason: "MAX_TOKENS", calls: [], finish: "length" },
  { name: "`stop` with calls", reason: "stop", calls: [{ id: "a" }], finish: "tool_calls" },
  { name: "none with calls", reason: null, calls: [{ id: "a" }], finish: "tool_calls" },
])("a finish reason is told in the dialect's words: $name", ({ reason, calls, finish }) => {
  const { chunks } = expanded({
    choices: [{ message: { tool_calls: calls }, finish_reason: reason }],
  });

  expect(chunks.at(-1)).toMatchObject({ choices: [{ finish_reason: finish }] });
});
