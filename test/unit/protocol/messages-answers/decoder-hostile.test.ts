import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { arrayOf, type JsonObject, objectOf } from "../../../../src/protocol/openai/fields.ts";
import { decoded, streamOf } from "./streams.ts";

const start = { type: "message_start", message: { id: "msg_1", model: "m", content: [] } };
const open = (index: unknown, block: JsonObject) => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const add = (index: unknown, delta: JsonObject) => ({ type: "content_block_delta", index, delta });
const text = (index: unknown, said: unknown) => add(index, { type: "text_delta", text: said });
const input = (index: unknown, piece: unknown) =>
  add(index, { type: "input_json_delta", partial_json: piece });
const stop = { type: "message_stop" };
const end = (stop_reason: string, usage?: JsonObject) => [
  { type: "message_delta", delta: { stop_reason }, usage },
  stop,
];
const tool = (id?: string, more: JsonObject = {}) => ({ type: "tool_use", id, name: "f", ...more });
const call = (args: string, id = "t1") => ({
  id,
  type: "function",
  function: { name: "f", arguments: args },
});

interface Hostile {
  readonly name: string;
  readonly events: readonly JsonObject[];
  readonly message: JsonObject;
  readonly finish?: string;
  readonly losses?: readonly string[];
}

const CASES: readonly Hostile[] = [
  {
    name: "no beginning and no block",
    events: [text(0, "hi"), ...end("end_turn")],
    message: { content: "hi" },
  },
  {
    name: "a beginning that comes twice",
    events: [start, text(0, "a"), start, text(0, "b"), ...end("end_turn")],
    message: { content: "ab" },
  },
  {
    name: "a beginning that already says something",
    events: [
      { type: "message_start", message: { content: [{ type: "text", text: "all" }, tool("t1")] } },
      ...end("tool_use"),
    ],
    message: { content: "all", tool_calls: [call("{}")] },
    finish: "tool_calls",
  },
  {
    name: "no end but the stop",
    events: [start, text(0, "a"), stop],
    message: { content: "a" },
  },
  {
    name: "a stop after a call that broke off",
    events: [start, open(0, tool("t1")), input(0, '{"a":'), stop],
    message: { content: "", tool_calls: [call('{"a":')] },
    finish: "length",
  },
  {
    name: "a call that opens with its whole input",
    events: [start, open(0, tool("t1", { input: { a: 1 } })), ...end("tool_use")],
    message: { content: "", tool_calls: [call('{"a":1}')] },
    finish: "tool_calls",
  },
  {
    name: "a call that opens with its whole input and then says it again",
    events: [
      start,
      open(0, tool("t1", { input: { a: 1 } })),
      input(0, '{"a":1}'),
      ...end("tool_use"),
    ],
    message: { content: "", tool_calls: [call('{"a":1}')] },
    finish: "tool_calls",
  },
  {
    name: "a call without an id",
    events: [start, open(0, tool(undefined)), input(0, "{}"), ...end("tool_use")],
    message: { content: "", tool_calls: [call("{}", "new-1")] },
    finish: "tool_calls",
  },
  {
    name: "input that is no text",
    events: [start, open(0, tool("t1")), input(0, { a: 1 }), ...end("tool_use")],
    message: { content: "", tool_calls: [call('{"a":1}')] },
    finish: "tool_calls",
  },
  {
    name: "blocks that overlap",
    events: [
      start,
      open(0, tool("t1")),
      open(1, tool("t2")),
      input(0, '{"a":'),
      input(1, "{}"),
      input(0, "1}"),
      ...end("tool_use"),
    ],
    message: { content: "", tool_calls: [call('{"a":1}'), call("{}", "t2")] },
    finish: "tool_calls",
  },
  {
    name: "blocks without an index",
    events: [start, open(null, tool("t1")), input("0", "{}"), ...end("tool_use")],
    message: { content: "", tool_calls: [call("{}")] },
    finish: "tool_calls",
  },
  {
    name: "input for a block that nothing opened",
    events: [start, text(0, "a"), input(3, "{}"), ...end("end_turn")],
    message: { content: "a" },
    losses: ["input_json_delta"],
  },
  {
    name: "calls under a stop reason that denies them",
    events: [start, open(0, tool("t1")), input(0, "{}"), ...end("end_turn")],
    message: { content: "", tool_calls: [call("{}")] },
    finish: "tool_calls",
  },
  {
    name: "a stop reason of calls without any",
    events: [start, text(0, "a"), ...end("tool_use")],
    message: { content: "a" },
  },
  {
    name: "content after the end",
    events: [start, text(0, "a"), end("end_turn")[0] ?? stop, text(0, "b"), stop],
    message: { content: "a" },
  },
  {
    name: "values of other types",
    events: [
      start,
      text(0, 7),
      text(0, null),
      open(1, { type: 7 }),
      text(2, "a"),
      ...end("end_turn"),
    ],
    message: { content: "a" },
    losses: ["content_block"],
  },
  {
    name: "blocks that are called by what they say",
    events: [
      start,
      open(0, { type: "Paris" }),
      open(1, { type: "The capital of France is Paris. ".repeat(50) }),
      text(2, "a"),
      add(2, { type: "Paris" }),
      ...end("end_turn"),
    ],
    message: { content: "a" },
    losses: ["content_block", "content_block_delta"],
  },
];

test.each(CASES)("hostile streams lose nothing that can be read: $name", (hostile) => {
  const { completion, losses, error } = decoded(streamOf(...hostile.events));
  const choice = objectOf(arrayOf(completion?.["choices"])[0]);

  expect({
    message: choice["message"],
    finish: choice["finish_reason"],
    losses,
    error,
  }).toEqual({
    message: { role: "assistant", ...hostile.message },
    finish: hostile.finish ?? "stop",
    losses: [...(hostile.losses ?? [])],
    error: null,
  });
});

test("counts told at the end replace those told before, and come again if they change", () => {
  const { chunks } = decoded(
    streamOf(
      { type: "message_start", message: { usage: { input_tokens: 0, output_tokens: 1 } } },
      text(0, "a"),
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn" },
        usage: { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 4 },
      },
      { type: "message_delta", delta: {}, usage: { output_tokens: 5 } },
      stop,
    ),
  );

  const counts = chunks.flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
  expect(counts).toMatchObject([
    { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
    { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  ]);
});

test("two events in one frame are read as two", () => {
  const glued = streamOf(start, text(0, "a"), ...end("end_turn")).replace("\n\nevent", "\nevent");

  expect(decoded(glued)).toMatchObject({
    isDone: true,
    completion: { choices: [{ message: { content: "a" } }] },
  });
});

const TYPES = [
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "new_event",
];
const BLOCKS = ["text", "thinking", "redacted_thinking", "tool_use", "server_tool_use"];
const DELTAS = ["text_delta", "thinking_delta", "signature_delta", "input_json_delta", "x_delta"];
const anything = fc.oneof(fc.string(), fc.integer(), fc.jsonValue(), fc.constant(null));
const anyObject = (types: readonly string[]) =>
  fc
    .dictionary(
      fc.constantFrom(
        "id",
        "name",
        "text",
        "thinking",
        "signature",
        "data",
        "input",
        "partial_json",
        "stop_reason",
        "content",
        "usage",
      ),
      anything,
      { maxKeys: 4 },
    )
    .chain((members) =>
      fc.constantFrom(...types).map((type) => Object.assign({}, members, { type })),
    );
const anyEvent: fc.Arbitrary<JsonObject> = fc.record({
  type: fc.constantFrom(...TYPES),
  index: fc.oneof(fc.nat(3), anything),
  content_block: fc.oneof(anyObject(BLOCKS), anything),
  delta: fc.oneof(anyObject(DELTAS), anything),
  message: fc.oneof(anyObject(["message"]), anything),
  usage: anything,
});

test("whatever comes, nothing throws, the role is first and nothing is said after the finish", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
      const { chunks } = decoded(streamOf(...events));
      const choices = chunks.flatMap(({ choices: list }) => arrayOf(list).map(objectOf));
      const roles = choices.filter(({ delta }) => "role" in objectOf(delta));
      const finishes = choices.filter(({ finish_reason: reason }) => reason !== null);

      expect(choices.indexOf(roles[0] ?? {})).toBe(choices.length > 0 ? 0 : -1);
      expect(roles.length).toBe(Math.min(1, choices.length));
      expect(finishes.length).toBeLessThanOrEqual(1);
      if (finishes[0]) expect(choices.at(-1)).toEqual(finishes[0]);
    }),
    { numRuns: 300 },
  );
});
