import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { callChunk, decoded, recorded, streamOf } from "./streams.ts";

const FORMAT = "anthropic-claude-v1";
const usage = (prompt: number, completion: number, cached = 0, written = 0) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
});
const call = (id: string, name: string, args: string) => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

interface Recording {
  readonly name: string;
  readonly message: object;
  readonly finish: string;
  readonly native: string;
  readonly usage?: object;
  readonly losses?: readonly string[];
}

const RECORDINGS: readonly Recording[] = [
  {
    name: "text",
    message: { content: "Hello, wörld 🌍!" },
    finish: "stop",
    native: "end_turn",
    usage: usage(10_010, 20, 10_000, 3),
  },
  {
    name: "stop-sequence",
    message: { content: "one, two" },
    finish: "stop",
    native: "stop_sequence",
  },
  {
    name: "max-tokens",
    message: {
      content: "I'll write it.",
      tool_calls: [call("toolu_01cut", "write", '{"path":"/tmp/a')],
    },
    finish: "length",
    native: "max_tokens",
  },
  {
    name: "tools",
    message: {
      content: "Looking.",
      tool_calls: [call("toolu_01A", "get_weather", '{"city":"Paris"}')],
    },
    finish: "tool_calls",
    native: "tool_use",
  },
  {
    name: "parallel-tools",
    message: {
      content: "",
      tool_calls: [
        call("toolu_01A", "get_weather", '{"city":"Paris"}'),
        call("toolu_01B", "list_files", "{}"),
        call("toolu_01C", "get_time", "{}"),
      ],
    },
    finish: "tool_calls",
    native: "tool_use",
  },
  {
    name: "thinking",
    message: {
      content: "Then that.",
      reasoning_content: "First this.",
      reasoning_details: [
        {
          type: "reasoning.text",
          text: "First this.",
          format: FORMAT,
          index: 0,
          signature: "EqQBsignature==",
        },
      ],
    },
    finish: "stop",
    native: "end_turn",
    usage: { ...usage(25, 30), completion_tokens_details: { reasoning_tokens: 18 } },
  },
  {
    name: "interleaved-thinking",
    message: {
      content: "",
      reasoning_content: "A.",
      reasoning_details: [
        { type: "reasoning.text", text: "A.", format: FORMAT, index: 0, signature: "sig-a" },
        { type: "reasoning.text", format: FORMAT, index: 1, signature: "sig-b" },
      ],
      tool_calls: [call("toolu_01A", "search", '{"q":"x"}')],
    },
    finish: "tool_calls",
    native: "tool_use",
  },
  {
    name: "redacted-thinking",
    message: {
      content: "Done.",
      reasoning_details: [
        { type: "reasoning.encrypted", data: "EmwKredacted", format: FORMAT, index: 0 },
      ],
    },
    finish: "stop",
    native: "end_turn",
  },
  {
    name: "refusal",
    message: { content: "I was about to", refusal: "This asks for malware." },
    finish: "content_filter",
    native: "refusal",
  },
  {
    name: "server-tools",
    message: { content: "It is fast." },
    finish: "stop",
    native: "end_turn",
    usage: usage(25, 40),
    losses: ["server_tool_use", "web_search_tool_result", "citations"],
  },
];

test.each(RECORDINGS)("a recorded stream comes to its chat answer: $name", async (recording) => {
  const { completion, losses, error, isDone } = decoded(await recorded(recording.name));

  expect({ completion, losses, error, isDone }).toEqual({
    completion: {
      id: "msg_01Fixture",
      object: "chat.completion",
      created: 1_700_000_000,
      model: "claude-sonnet-5-5",
      usage: recording.usage ?? usage(25, 12),
      choices: [
        {
          index: 0,
          message: { role: "assistant", ...recording.message },
          logprobs: null,
          finish_reason: recording.finish,
          native_finish_reason: recording.native,
        },
      ],
    },
    losses: [...(recording.losses ?? [])],
    error: null,
    isDone: true,
  });
});

test("the chunks do not depend on how the bytes arrive", async () => {
  const streams = await Promise.all(RECORDINGS.map(({ name }) => recorded(name)));
  fc.assert(
    fc.property(
      fc.constantFrom(...streams),
      fc.array(fc.nat(), { maxLength: 40 }),
      (text, cuts) => {
        expect(decoded(text, cuts)).toEqual(decoded(text));
      },
    ),
    { numRuns: 60 },
  );
});

const said = (delta: object, ending: object = { finish_reason: null }) => ({
  choices: [{ index: 0, delta, ...ending }],
  usage: undefined,
});
const fragment = (piece: string) => ({
  choices: callChunk(0, piece)["choices"],
  usage: undefined,
});

test("role first, then what is said as it comes, then finish and usage in chunks of their own", async () => {
  const { chunks } = decoded(await recorded("tools"));
  const bare = chunks.map(({ choices, usage: counts }) => ({ choices, usage: counts }));
  expect(bare).toEqual([
    said({ role: "assistant", content: "" }),
    said({ content: "Looking." }),
    said({
      tool_calls: [
        {
          index: 0,
          id: "toolu_01A",
          type: "function",
          function: { name: "get_weather", arguments: "" },
        },
      ],
    }),
    fragment('{"city":'),
    fragment('"Paris"'),
    fragment("}"),
    said({}, { finish_reason: "tool_calls", native_finish_reason: "tool_use" }),
    { choices: [], usage: usage(25, 12) },
  ]);
});

test.each([
  { name: "as the first event", recording: "error-first", type: "overloaded_error" },
  { name: "after content", recording: "error-mid-stream", type: "api_error" },
])("an error event is told to the classifier: $name", async ({ recording, type }) => {
  const text = await recorded(recording);

  expect(JSON.parse(decoded(text).error ?? "{}")).toMatchObject({ type: "error", error: { type } });
  expect(JSON.parse(decoded(text.replaceAll(/^event: .*\n/gm, "")).error ?? "{}")).toMatchObject({
    type: "error",
    error: { type },
  });
});

test.each([
  {
    name: "an envelope of OpenAI",
    text: 'data: {"error":{"message":"no","type":"server_error"}}\n\n',
  },
  { name: "plain text under the event's name", text: "event: error\ndata: overloaded\n\n" },
  { name: "an old server's field", text: "error: overloaded\n\n" },
  { name: "a list of one", text: 'data: [{"error":{"message":"no"}}]\n\n' },
  {
    name: "a stop reason that says so",
    text: streamOf({ type: "message_delta", delta: { stop_reason: "error" }, usage: {} }),
  },
])("every other form of an error is one too: $name", ({ text }) => {
  expect(decoded(text)).toMatchObject({ error: expect.any(String), chunks: [] });
});
