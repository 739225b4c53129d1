import { expect, test } from "bun:test";

import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { objectOf } from "../../../../src/protocol/openai/fields.ts";
import { createMessagesEncoder } from "../../../../src/protocol/translate/messages-answers/encoder.ts";
import { blocksIn, type Written } from "./blocks-in.ts";
import { callChunk, chunk, encoded } from "./streams.ts";

const stopOf = (events: readonly JsonObject[]) => objectOf(events.at(-2)?.["delta"]);

interface Case {
  readonly name: string;
  readonly chunks: readonly JsonObject[];
  readonly blocks: readonly Written[];
  readonly stop?: string;
  readonly losses?: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: "text, then a call in two pieces",
    chunks: [
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "Looking." }),
      callChunk(0, '{"a":', { id: "c1", name: "ls" }),
      callChunk(0, "1}"),
      chunk({}, "tool_calls"),
    ],
    blocks: [
      ["text", "Looking."],
      ["tool_use", '{"a":1}'],
    ],
    stop: "tool_use",
  },
  {
    name: "a call in the very first chunk",
    chunks: [
      chunk({
        role: "assistant",
        content: null,
        tool_calls: [{ index: 0, id: "c1", function: { name: "ls", arguments: "" } }],
      }),
      chunk({}, "tool_calls"),
    ],
    blocks: [["tool_use", "{}"]],
    stop: "tool_use",
  },
  {
    name: "calls whose fragments interleave",
    chunks: [
      callChunk(0, "", { id: "c1", name: "a" }),
      callChunk(1, '{"x"', { id: "c2", name: "b" }),
      chunk({ content: "meanwhile" }),
      callChunk(0, '{"y":1}'),
      callChunk(1, ":2}"),
      chunk({}, "tool_calls"),
    ],
    blocks: [
      ["tool_use", '{"y":1}'],
      ["tool_use", '{"x":2}'],
      ["text", "meanwhile"],
    ],
    stop: "tool_use",
  },
  {
    name: "empty reasoning beside every piece of text",
    chunks: [
      chunk({ reasoning_content: "a" }),
      chunk({ content: "x", reasoning_content: "" }),
      chunk({ content: "y", reasoning_content: null }),
      chunk({}, "stop"),
    ],
    blocks: [
      ["thinking", "a"],
      ["text", "xy"],
    ],
  },
  {
    name: "blanks between thoughts and before a call",
    chunks: [
      chunk({ reasoning: "a" }),
      chunk({ content: "\n" }),
      chunk({ reasoning: "b" }),
      chunk({ content: "\n\n" }),
      callChunk(0, "{}", { id: "c1", name: "f" }),
      chunk({}, "tool_calls"),
    ],
    blocks: [
      ["thinking", "ab"],
      ["tool_use", "{}"],
    ],
    stop: "tool_use",
  },
  {
    name: "one thought in two members",
    chunks: [
      chunk({
        reasoning: "a",
        reasoning_details: [{ type: "reasoning.text", text: "a", index: 0 }],
      }),
      chunk({ reasoning: "b", reasoning_content: "b" }),
      chunk({}, "stop"),
    ],
    blocks: [["thinking", "ab"]],
  },
  {
    name: "signed, hidden and encrypted thoughts of Claude",
    chunks: [
      chunk({
        reasoning_details: [
          { type: "reasoning.text", text: "a", format: "anthropic-claude-v1", index: 0 },
        ],
      }),
      chunk({
        reasoning_details: [
          { type: "reasoning.text", signature: "s1", format: "anthropic-claude-v1", index: 0 },
        ],
      }),
      chunk({
        reasoning_details: [
          { type: "reasoning.text", signature: "s2", format: "anthropic-claude-v1", index: 1 },
        ],
      }),
      chunk({
        reasoning_details: [
          { type: "reasoning.encrypted", data: "d", format: "anthropic-claude-v1", index: 2 },
        ],
      }),
      chunk({}, "stop"),
    ],
    blocks: [
      ["thinking", "a|s1"],
      ["thinking", "|s2"],
      ["redacted_thinking", "d"],
    ],
  },
  {
    name: "what only another vendor can open",
    chunks: [
      chunk({
        reasoning_details: [
          { type: "reasoning.text", text: "a", signature: "s", format: "google-gemini-v1" },
        ],
      }),
      chunk({
        reasoning_details: [
          { type: "reasoning.encrypted", data: "d", format: "openai-responses-v1" },
        ],
      }),
      chunk({ content: "b" }, "stop"),
    ],
    blocks: [
      ["thinking", "a"],
      ["text", "b"],
    ],
    losses: ["reasoning_details.signature", "reasoning_details.data"],
  },
  {
    name: "a signature after its thought has ended",
    chunks: [
      chunk({ reasoning_content: "a" }),
      chunk({ content: "b" }),
      chunk({ reasoning_details: [{ type: "reasoning.text", signature: "s" }] }, "stop"),
    ],
    blocks: [
      ["thinking", "a"],
      ["text", "b"],
    ],
    losses: ["reasoning_details.signature"],
  },
  {
    name: "Mistral's parts",
    chunks: [
      chunk({
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "a" }] },
          { type: "text", text: "b" },
          { type: "image_url" },
        ],
      }),
      chunk({}, "stop"),
    ],
    blocks: [
      ["thinking", "a"],
      ["text", "b"],
    ],
    losses: ["content.image_url"],
  },
  {
    name: "parts that are called by what they say",
    chunks: [
      chunk({ content: [{ type: "Paris" }, { type: "The capital of France. ".repeat(50) }] }),
      chunk({ content: "a" }, "stop"),
    ],
    blocks: [["text", "a"]],
    losses: ["content.part"],
  },
  {
    name: "a call that the token limit cut",
    chunks: [callChunk(0, '{"path":"/tmp/a', { id: "c1", name: "f" }), chunk({}, "length")],
    blocks: [["tool_use", '{"path":"/tmp/a']],
    stop: "max_tokens",
  },
  {
    name: "a call and a finish that denies it",
    chunks: [callChunk(0, "{}", { id: "c1", name: "f" }), chunk({}, "stop")],
    blocks: [["tool_use", "{}"]],
    stop: "tool_use",
  },
  {
    name: "the old form of a call",
    chunks: [chunk({ function_call: { name: "f", arguments: "{}" } }), chunk({}, "function_call")],
    blocks: [["tool_use", "{}"]],
    stop: "tool_use",
  },
  {
    name: "calls that nobody could run",
    chunks: [
      callChunk(0, "{}", { id: "c1" }),
      chunk({
        tool_calls: [{ index: 1, id: "c2", type: "custom", custom: { name: "p", input: "x" } }],
      }),
      chunk({}, "tool_calls"),
    ],
    blocks: [],
    losses: ["tool_calls"],
  },
  {
    name: "a refusal in words",
    chunks: [chunk({ refusal: "I " }), chunk({ refusal: "won't." }), chunk({}, "stop")],
    blocks: [["text", "I won't."]],
    stop: "refusal",
  },
  {
    name: "a filter's end",
    chunks: [chunk({ content: "a" }), chunk({}, "content_filter")],
    blocks: [["text", "a"]],
    stop: "refusal",
  },
  {
    name: "a finish in no list",
    chunks: [chunk({ content: "a" }), chunk({}, "eos")],
    blocks: [["text", "a"]],
  },
  {
    name: "a finish that never came",
    chunks: [callChunk(0, '{"a', { id: "c1", name: "f" })],
    blocks: [["tool_use", '{"a']],
    stop: "max_tokens",
  },
  { name: "nothing at all", chunks: [], blocks: [] },
  {
    name: "a second choice",
    chunks: [
      {
        choices: [
          { index: 1, delta: { content: "other" } },
          { index: 0, delta: { content: "a" }, finish_reason: "stop" },
        ],
      },
    ],
    blocks: [["text", "a"]],
    losses: ["choices"],
  },
];

test.each(CASES)("chunks become blocks in the order that SDKs need: $name", (each) => {
  const { events, losses } = encoded(each.chunks);

  expect({ blocks: blocksIn(events), stop: stopOf(events)["stop_reason"], losses }).toEqual({
    blocks: [...each.blocks],
    stop: each.stop ?? "end_turn",
    losses: [...(each.losses ?? [])],
  });
});

test("the whole of a small stream, byte for byte", () => {
  const { text } = encoded([
    chunk({ role: "assistant", content: "" }),
    chunk({ content: "last" }, "stop"),
    {
      choices: [],
      usage: {
        prompt_tokens: 10,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    },
  ]);

  expect(text.split("\n\n")).toEqual([
    'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_own","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,"output_tokens":0}}}',
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"last"}}',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":6,"cache_creation_input_tokens":0,"cache_read_input_tokens":4,"output_tokens":2,"output_tokens_details":{"thinking_tokens":1}}}',
    'event: message_stop\ndata: {"type":"message_stop"}',
    "",
  ]);
});

test.each([
  {
    name: "the stop string a server met",
    choice: { stop_reason: "END" },
    told: { stop_reason: "stop_sequence", stop_sequence: "END" },
  },
  {
    name: "Claude's own word behind a gateway",
    choice: { native_finish_reason: "pause_turn" },
    told: { stop_reason: "pause_turn", stop_sequence: null },
  },
  {
    name: "a word of Claude that does not fit",
    choice: { native_finish_reason: "tool_use" },
    told: { stop_reason: "end_turn", stop_sequence: null },
  },
  {
    name: "another vendor's own word",
    choice: { native_finish_reason: "STOP" },
    told: { stop_reason: "end_turn", stop_sequence: null },
  },
])("a stop is told as exactly as it is known: $name", ({ choice, told }) => {
  const { events } = encoded([
    { choices: [{ index: 0, delta: { content: "a" }, finish_reason: "stop", ...choice }] },
  ]);

  expect(stopOf(events)).toEqual(told);
});

test("ids that Anthropic would refuse are spelled so that it takes them", () => {
  const { events } = encoded([callChunk(0, "{}", { id: "functions.ls:0", name: "ls" })]);

  expect(events[1]).toMatchObject({ content_block: { id: "functions_ls_0", input: {} } });
});

test.each([
  { name: "before anything was said", chunks: [] },
  { name: "in the middle of a block", chunks: [chunk({ content: "Half" })] },
])("an error ends a stream by itself: $name", ({ chunks }) => {
  const encoder = createMessagesEncoder({
    id: "msg_1",
    model: "m",
    newId: () => "n",
    onLoss: () => undefined,
  });
  for (const each of chunks) encoder.push(each);

  expect(
    encoder.fail({ code: "stream_interrupted", message: "upstream ended the stream early" }),
  ).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"upstream ended the stream early","details":{"error_code":"stream_interrupted"}}}\n\n',
  );
});
