import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { aggregateStream } from "../../../../src/protocol/openai/aggregate.ts";
import { expandAnswer } from "../../../../src/protocol/openai/expand.ts";
import { callFrame, chunkFrame, countedIds, DONE, framesOf } from "./read-stream.ts";

function aggregated(text: string, dialect: "chat" | "completions" = "chat") {
  const edits = new Set<string>();
  const options = { dialect, newId: countedIds(), onEdit: (edit: string) => edits.add(edit) };
  return { ...aggregateStream(framesOf(text), options), edits: [...edits] };
}

/** The message of the first choice. */
function messageOf(...deltas: object[]): unknown {
  const text = deltas.map((delta) => chunkFrame(delta)).join("");
  const joined = aggregated(text + chunkFrame({}, "stop") + DONE);
  return joined.kind === "answer" ? joined.body : joined;
}

const chatBody = (message: object, finish_reason = "stop", more: object = {}) => ({
  id: "c",
  object: "chat.completion",
  choices: [
    { index: 0, message: { role: "assistant", ...message }, logprobs: null, finish_reason },
  ],
  ...more,
});

test.each([
  {
    name: "text",
    deltas: [{ role: "assistant", content: "" }, { content: "he" }, { content: "y" }],
    message: { content: "hey" },
  },
  {
    name: "a role on every delta",
    deltas: [
      { role: "assistant", content: "a" },
      { role: "assistant", content: "b" },
    ],
    message: { content: "ab" },
  },
  { name: "nothing but a role", deltas: [{ role: "assistant" }], message: { content: null } },
  {
    name: "reasoning, then text",
    deltas: [
      { reasoning_content: "th" },
      { reasoning_content: "ink", content: null },
      { content: "a" },
    ],
    message: { content: "a", reasoning_content: "think" },
  },
  {
    name: "reasoning details of one entry, and of another",
    deltas: [
      { reasoning_details: [{ type: "reasoning.text", text: "a", index: 0 }] },
      { reasoning_details: [{ type: "reasoning.text", text: "b", signature: "s", index: 0 }] },
      { reasoning_details: [{ type: "reasoning.encrypted", data: "x", index: 1 }] },
    ],
    message: {
      content: null,
      reasoning_details: [
        { type: "reasoning.text", text: "ab", signature: "s", index: 0 },
        { type: "reasoning.encrypted", data: "x", index: 1 },
      ],
    },
  },
  {
    name: "Mistral's list of thoughts, then plain text",
    deltas: [
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "th" }] }] },
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "ink" }] }] },
      { content: "an" },
      { content: "swer" },
    ],
    message: { content: "answer", reasoning_content: "think" },
  },
  {
    name: "a list with a picture, then plain text",
    deltas: [{ content: [{ type: "image_url", image_url: { url: "u" } }] }, { content: "x" }],
    message: {
      content: [
        { type: "image_url", image_url: { url: "u" } },
        { type: "text", text: "x" },
      ],
    },
  },
  {
    name: "a refusal",
    deltas: [{ refusal: "I " }, { refusal: "won't" }],
    message: { content: null, refusal: "I won't" },
  },
  {
    name: "a legacy function call",
    deltas: [
      { function_call: { name: "f", arguments: "" } },
      { function_call: { arguments: "{}" } },
    ],
    message: { content: null, function_call: { name: "f", arguments: "{}" } },
    finish: "function_call",
  },
  {
    name: "audio",
    deltas: [
      { audio: { id: "a", data: "AAAA" } },
      { audio: { data: "BBBB", transcript: "hi" } },
      { audio: { expires_at: 7 } },
    ],
    message: {
      content: null,
      audio: { id: "a", data: "AAAABBBB", transcript: "hi", expires_at: 7 },
    },
  },
  {
    name: "citations",
    deltas: [
      { content: "a", annotations: [{ type: "url_citation", n: 1 }] },
      { annotations: [{ type: "url_citation", n: 2 }] },
    ],
    message: {
      content: "a",
      annotations: [
        { type: "url_citation", n: 1 },
        { type: "url_citation", n: 2 },
      ],
    },
  },
])("a stream is put together as one answer: $name", ({ deltas, message, finish }) => {
  expect(messageOf(...deltas)).toEqual(chatBody(message, finish));
});

test("tool calls are put together with their repairs", () => {
  const text =
    callFrame('{"function":{"name":"f","arguments":"{\\"n\\":"}}') +
    callFrame('{"id":"","function":{"arguments":"9007199254740993}"}}') +
    callFrame('{"id":"b","type":"function","function":{"name":"g","arguments":null}}') +
    chunkFrame({}, "stop") +
    DONE;

  const joined = aggregated(text);

  expect(joined).toEqual({
    kind: "answer",
    is_finished: true,
    edits: ["tool_call", "finish_reason"],
    body: chatBody(
      {
        content: null,
        tool_calls: [
          {
            id: "new-1",
            type: "function",
            function: { name: "f", arguments: '{"n":9007199254740993}' },
          },
          { id: "b", type: "function", function: { name: "g", arguments: "" } },
        ],
      },
      "tool_calls",
    ),
  });
});

const tokenFrame = (token: string, more: object) =>
  `data: ${JSON.stringify({
    id: "c",
    choices: [
      {
        index: 0,
        delta: { content: token },
        logprobs: { content: [{ token }] },
        finish_reason: null,
      },
    ],
    ...more,
  })}\n\n`;

test("members beside choices keep the last value that is not null; log probabilities grow", () => {
  const text =
    tokenFrame("a", { model: "m", usage: null }) +
    tokenFrame("b", { usage: { completion_tokens: 2 }, system_fingerprint: null }) +
    chunkFrame({}, "length") +
    DONE;

  expect(aggregated(text)).toMatchObject({
    body: {
      id: "c",
      model: "m",
      usage: { completion_tokens: 2 },
      choices: [
        { logprobs: { content: [{ token: "a" }, { token: "b" }] }, finish_reason: "length" },
      ],
    },
  });
});

test("choices are told apart by index, in order", () => {
  const text =
    'data: {"id":"c","choices":[{"index":1,"delta":{"content":"b"},"finish_reason":"stop"},{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n';

  expect(aggregated(text + DONE)).toMatchObject({
    is_finished: true,
    body: {
      choices: [
        { index: 0, message: { content: "a" } },
        { index: 1, message: { content: "b" } },
      ],
    },
  });
});

const textFrame = (text: string, finish_reason: string | null) =>
  `data: ${JSON.stringify({ id: "c", object: "text_completion", choices: [{ index: 0, text, logprobs: null, finish_reason }] })}\n\n`;

test("a legacy stream becomes a text completion", () => {
  expect(aggregated(textFrame("a", null) + textFrame("b", "stop") + DONE, "completions")).toEqual({
    kind: "answer",
    is_finished: true,
    edits: [],
    body: {
      id: "c",
      object: "text_completion",
      choices: [{ index: 0, text: "ab", logprobs: null, finish_reason: "stop" }],
    },
  });
});

const hi = chunkFrame({ content: "hi" });

test.each([
  { name: "a finish reason", text: hi + chunkFrame({}, "stop"), is_finished: true },
  {
    name: "a finish reason on a frame without blank line",
    text: hi + chunkFrame({}, "stop").trimEnd(),
    is_finished: true,
  },
  { name: "`[DONE]` alone", text: hi + DONE, is_finished: true },
  { name: "neither", text: hi, is_finished: false },
  { name: "a finish reason that is empty", text: hi + chunkFrame({}, ""), is_finished: false },
])("a stream with $name is finished: $is_finished", ({ text, is_finished }) => {
  expect(aggregated(text)).toMatchObject({ kind: "answer", is_finished });
});

test("what stands after `[DONE]` is no part of the answer", () => {
  expect(aggregated(hi + chunkFrame({}, "stop") + DONE + hi)).toMatchObject({
    body: { choices: [{ message: { content: "hi" } }] },
  });
});

test.each([
  {
    name: "an error after content",
    text: `${hi}data: {"error":{"message":"m"}}\n\n${DONE}`,
    payload: '{"error":{"message":"m"}}',
  },
  {
    name: "an error event of plain text",
    text: "event: error\ndata: m\n\n",
    payload: "event: error\ndata: m\n\n",
  },
])("a stream with $name is an error", ({ text, payload }) => {
  expect(aggregated(text)).toMatchObject({ kind: "error", payload });
});

test.each([
  { name: "comments", text: ": a\n\n: b\n\n" },
  { name: "rubbish", text: "data: rubbish\n\n" },
  { name: "nothing", text: "" },
  { name: "an end marker", text: DONE },
])("a stream of $name is nothing", ({ text }) => {
  expect(aggregated(text).kind).toBe("nothing");
});

const name = fc.stringMatching(/^[a-z_]{1,8}$/);
const text = fc.string({ unit: "grapheme", maxLength: 10 }).map((value) => value.toWellFormed());
const message = fc.record({
  role: fc.constant("assistant"),
  content: fc.oneof(text, fc.constant(null)),
  refusal: fc.oneof(text, fc.constant(null)),
  reasoning_content: text,
  annotations: fc.array(fc.record({ type: fc.constant("url_citation"), url: text }), {
    minLength: 1,
    maxLength: 3,
  }),
});
const calls = fc.uniqueArray(
  fc.record({
    id: name,
    type: fc.constant("function"),
    function: fc.record({ name, arguments: fc.json() }),
  }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 3 },
);
const reason = fc.constantFrom("stop", "length", "content_filter");
const choice = fc.oneof(
  fc.record({ message, finish_reason: reason }),
  fc.record({
    message: fc
      .tuple(message, calls)
      .map(([said, tool_calls]) => Object.assign({}, said, { tool_calls })),
    finish_reason: fc.constantFrom("tool_calls", "length"),
  }),
);
const answer = fc.record({
  id: name,
  created: fc.nat(),
  model: name,
  system_fingerprint: name,
  choices: fc.array(choice, { minLength: 1, maxLength: 3 }),
  usage: fc.record({ prompt_tokens: fc.nat(), completion_tokens: fc.nat() }),
});

test("an answer cut into a stream and put together again is the same answer", () => {
  fc.assert(
    fc.property(answer, ({ choices, ...rest }) => {
      const body = {
        ...rest,
        object: "chat.completion",
        choices: choices.map((value, index) => ({ index, logprobs: null, ...value })),
      };

      const joined = aggregated(
        expandAnswer(body, { dialect: "chat", include_usage: true, newId: countedIds() }),
      );

      expect(joined).toEqual({ kind: "answer", is_finished: true, edits: [], body });
    }),
  );
});
