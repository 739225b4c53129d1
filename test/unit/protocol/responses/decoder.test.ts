import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { createFramer } from "../../../../src/protocol/sse/framer.ts";
import { createResponsesDecoder } from "../../../../src/protocol/translate/responses-stream/decoder.ts";
import { chunk, decoded, encoded, eventFrame, fragment, PARTS, usageChunk } from "./read-events.ts";

const HEAD = { id: "resp_v", created_at: 1_790_000_001, model: "vendor" };
const created = eventFrame("response.created", { response: { ...HEAD, output: [] } });
const completed = (response: object = {}) =>
  eventFrame("response.completed", { response: { ...HEAD, status: "completed", ...response } });
const deltasOf = (text: string) =>
  decoded(text).chunks.map(({ choices }) => (Array.isArray(choices) ? choices[0] : undefined));

const message = (text: string) => ({
  type: "message",
  id: "msg_1",
  content: [{ type: "output_text", text, annotations: [] }],
});

const choicesOf = (delta: object, finish_reason: string | null) => [
  { index: 0, delta, finish_reason },
];

test("text, finish and usage become chunks that share id, time and model", () => {
  const text =
    created +
    eventFrame("response.output_text.delta", { output_index: 0, item_id: "msg_1", delta: "hi" }) +
    eventFrame("response.output_item.done", { output_index: 0, item: message("hi") }) +
    completed({ output: [message("hi")], usage: { input_tokens: 3, output_tokens: 1 } });

  const head = { id: "resp_v", created: 1_790_000_001, model: "vendor" };
  const of = { ...head, object: "chat.completion.chunk" };
  expect(decoded(text)).toEqual({
    chunks: [
      { ...of, choices: choicesOf({ role: "assistant", content: "" }, null) },
      { ...of, choices: choicesOf({ content: "hi" }, null) },
      { ...of, choices: choicesOf({}, "stop") },
      {
        ...of,
        choices: [],
        usage: {
          prompt_tokens: 3,
          completion_tokens: 1,
          total_tokens: 4,
          prompt_tokens_details: {},
          completion_tokens_details: {},
        },
      },
    ],
    is_done: true,
    errors: [],
  });
});

const call = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "run",
  arguments: '{"a":1}',
};

test.each([
  {
    name: "told piece by piece",
    text:
      eventFrame("response.output_item.added", {
        output_index: 4,
        item: { ...call, arguments: "" },
      }) +
      eventFrame("response.function_call_arguments.delta", { output_index: 4, delta: '{"a"' }) +
      eventFrame("response.function_call_arguments.delta", { output_index: 4, delta: ":1}" }) +
      eventFrame("response.output_item.done", { output_index: 4, item: call }) +
      completed(),
  },
  {
    name: "announced, then told whole",
    text:
      eventFrame("response.output_item.added", { output_index: 0, item: call }) +
      eventFrame("response.output_item.done", { output_index: 0, item: call }) +
      completed(),
  },
  {
    name: "told whole",
    text: eventFrame("response.output_item.done", { item: call }) + completed(),
  },
  { name: "told with the end alone", text: completed({ output: [call] }) },
  {
    name: "told without event names",
    text: (eventFrame("response.output_item.done", { item: call }) + completed()).replaceAll(
      /^event: .*\n/gm,
      "",
    ),
  },
  {
    name: "told without types in the payload",
    text: `event: response.output_item.done\ndata: ${JSON.stringify({ item: call })}\n\n${completed()}`,
  },
])("a call $name comes out once, with index, id, name and arguments", ({ text }) => {
  const choices = deltasOf(text);
  const fragments = choices.flatMap((choice) => choice?.delta.tool_calls ?? []);

  expect(fragments[0]).toMatchObject({ index: 0, id: "call_1", type: "function" });
  expect(fragments.map(({ function: { name } }) => name).join("")).toBe("run");
  expect(fragments.map((each) => each.function.arguments).join("")).toBe('{"a":1}');
  expect(choices.at(-1)?.finish_reason).toBe("tool_calls");
});

test.each([
  { name: "a summary of two parts", done: [{ text: "a" }, { text: "b" }], said: "a\n\nb" },
  { name: "no summary", done: [], said: "" },
])("reasoning with $name keeps its encrypted content", ({ done, said }) => {
  const item = { type: "reasoning", id: "rs_1", summary: done, encrypted_content: "gAAA" };

  const deltas = deltasOf(eventFrame("response.output_item.done", { output_index: 0, item }));

  const text = deltas.map((choice) => choice?.delta.reasoning_content ?? "").join("");
  expect(text).toBe(said);
  expect(deltas.at(-1)?.delta.reasoning_details).toEqual([
    {
      type: "reasoning.encrypted",
      data: "gAAA",
      id: "rs_1",
      format: "openai-responses-v1",
      index: 0,
    },
  ]);
});

const part = (summary_index: number, delta: string) =>
  eventFrame("response.reasoning_summary_part.added", { output_index: 0, summary_index }) +
  eventFrame("response.reasoning_summary_text.delta", { output_index: 0, summary_index, delta });

test("summaries of one item are told with a blank line between", () => {
  const said = deltasOf(part(0, "a") + part(1, "b")).map(
    (choice) => choice?.delta.reasoning_content,
  );

  expect(said.join("")).toBe("a\n\nb");
});

test.each([
  { reason: "max_output_tokens", finish: "length" },
  { reason: "content_filter", finish: "content_filter" },
  { reason: "steered", finish: "length" },
])("incomplete for $reason finishes as $finish", ({ reason, finish }) => {
  const response = { ...HEAD, status: "incomplete", incomplete_details: { reason } };

  const text = eventFrame("response.incomplete", { response });

  expect(decoded(text)).toMatchObject({
    chunks: [{ choices: [{ finish_reason: finish }] }],
    is_done: true,
  });
});

test.each([
  {
    name: "a failed response",
    data: '{"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"m"}}}',
  },
  { name: "an error event", data: '{"type":"error","code":"rate_limit_exceeded","message":"m"}' },
  { name: "an error of another envelope", data: '{"error":{"message":"m","code":502}}' },
  {
    name: "a completed response with an error",
    data: '{"type":"response.completed","response":{"status":"failed","error":{"message":"m"}}}',
  },
])("$name is an error to classify, and no end", ({ data }) => {
  expect(decoded(`data: ${data}\n\n`)).toEqual({ chunks: [], is_done: false, errors: [data] });
});

test("an error of plain text is told by its event", () => {
  expect(decoded("event: error\ndata: Overloaded\n\n").errors).toEqual([
    "event: error\ndata: Overloaded\n\n",
  ]);
});

test("a stream without its last event is not done", () => {
  const text = created + eventFrame("response.output_text.delta", { output_index: 0, delta: "h" });

  expect(decoded(text)).toMatchObject({ is_done: false, errors: [] });
});

test("a call that the client runs counts as one, whatever its kind", () => {
  const item = { type: "shell_call", call_id: "c", action: { commands: ["ls"] } };

  const choices = deltasOf(eventFrame("response.output_item.done", { item }) + completed());

  expect(choices).toMatchObject([
    {
      delta: {
        tool_calls: [{ id: "c", function: { name: "shell", arguments: '{"commands":["ls"]}' } }],
      },
    },
    { finish_reason: "tool_calls" },
  ]);
});

test("a drawn image is media", () => {
  const item = { type: "image_generation_call", id: "i", result: "QUJD", output_format: "webp" };

  const [choice] = deltasOf(eventFrame("response.output_item.done", { item }));

  expect(choice?.delta.images).toEqual([
    { type: "image_url", image_url: { url: "data:image/webp;base64,QUJD" } },
  ]);
});

test("however a stream is cut into chunks, it says the same", () => {
  const bytes = new TextEncoder().encode(
    encoded([
      chunk({ reasoning_content: "hm" }),
      chunk({ content: "wörld 👋" }),
      fragment(0, '{"a":1}', { id: "a", name: "run" }),
      chunk({}, "tool_calls"),
      usageChunk({ prompt_tokens: 1, completion_tokens: 2 }),
    ]),
  );
  const whole = decoded(bytes).chunks;

  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: bytes.length }), { maxLength: 20 }), (cuts) => {
      const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });
      const decoder = createResponsesDecoder(PARTS);
      const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).flatMap((end, at) => {
        const { frames } = framer.push(bytes.subarray(places[at], end));
        return frames.flatMap((frame) => decoder.read(frame).chunks);
      });
      expect(chunks).toEqual(whole);
    }),
  );
});

/** Any JSON, objects that cannot be made a string included. */
const hostile = fc.oneof(fc.jsonValue(), fc.constant({ toString: 1, valueOf: 1 }));

test("nothing an upstream sends makes it throw", () => {
  const type = fc.constantFrom(
    "response.created",
    "response.output_item.added",
    "response.output_item.done",
    "response.output_text.delta",
    "response.function_call_arguments.delta",
    "response.custom_tool_call_input.delta",
    "response.reasoning_summary_part.added",
    "response.completed",
    "response.incomplete",
    "response.failed",
    "error",
  );
  const item = fc.record(
    {
      type: fc.oneof(
        fc.constantFrom("message", "reasoning", "function_call", "custom_tool_call", "shell_call"),
        hostile,
      ),
      id: hostile,
      call_id: hostile,
      content: hostile,
      summary: hostile,
      arguments: hostile,
      encrypted_content: hostile,
    },
    { requiredKeys: [] },
  );
  const event = fc.record(
    {
      type,
      output_index: hostile,
      delta: fc.oneof(fc.string(), hostile),
      item: fc.oneof(item, hostile),
      response: fc.oneof(fc.record({ output: fc.array(item) }), hostile),
    },
    { requiredKeys: ["type"] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(event, hostile), { maxLength: 8 }), (events) => {
      const text = events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join("");
      expect(() => decoded(text)).not.toThrow();
    }),
  );
});
