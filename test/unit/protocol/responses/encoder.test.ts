import { describe, expect, test } from "bun:test";

import { FORMATS } from "../../../../src/protocol/translate/formats.ts";
import { createResponsesEncoder } from "../../../../src/protocol/translate/responses-stream/encoder.ts";
import {
  chunk,
  contextOf,
  encoded,
  eventsOf,
  finalResponse,
  fragment,
  KEEPS_REASONING,
  typesOf,
  usageChunk,
} from "./read-events.ts";

describe("the order of events", () => {
  test("text is announced, told, and closed from the inside out", () => {
    const events = eventsOf(
      encoded([chunk({ role: "assistant" }), chunk({ content: "h" }), chunk({ content: "i" })]),
    );

    expect(typesOf(events)).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "completed",
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  test("reasoning is a summary of one part, closed before the text begins", () => {
    const events = eventsOf(encoded([chunk({ reasoning: "hm" }), chunk({ content: "hi" })]));

    expect(typesOf(events).slice(2, 9)).toEqual([
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
      "output_item.added",
    ]);
  });

  test("calls stay open side by side, and are done in the order of the output", () => {
    const events = eventsOf(
      encoded([
        fragment(0, "{", { id: "a", name: "run" }),
        fragment(1, '{"input":"x', { id: "b", name: "apply_patch" }),
        fragment(0, "}"),
        fragment(1, 'y"}'),
      ]),
    );

    expect(
      events.slice(2, -1).map(({ type, output_index, delta }) => ({ type, output_index, delta })),
    ).toEqual([
      { type: "response.output_item.added", output_index: 0, delta: undefined },
      { type: "response.function_call_arguments.delta", output_index: 0, delta: "{" },
      { type: "response.output_item.added", output_index: 1, delta: undefined },
      { type: "response.function_call_arguments.delta", output_index: 0, delta: "}" },
      { type: "response.function_call_arguments.done", output_index: 0, delta: undefined },
      { type: "response.output_item.done", output_index: 0, delta: undefined },
      { type: "response.custom_tool_call_input.delta", output_index: 1, delta: "xy" },
      { type: "response.custom_tool_call_input.done", output_index: 1, delta: undefined },
      { type: "response.output_item.done", output_index: 1, delta: undefined },
    ]);
  });

  test("a call that broke off at a limit is never said to be done, so that nobody runs it", () => {
    const calls = [
      fragment(0, '{"input":"rm -rf ~/o', { id: "a", name: "apply_patch" }),
      fragment(1, '{"cmd":', { id: "b", name: "run" }),
    ];

    const events = eventsOf(encoded([...calls, chunk({}, "length")]));

    expect(typesOf(events).filter((type) => type.endsWith(".done"))).toEqual([]);
    expect(events.at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { output: [{ status: "incomplete" }, { status: "incomplete" }] },
    });
  });
});

test.each([
  { name: "the object asked for", said: '{"input":"a\\nb"}', input: "a\nb" },
  { name: "another member's name", said: '{"patch":"a"}', input: "a" },
  { name: "a bare string", said: '"a"', input: "a" },
  { name: "bare text", said: "*** Begin", input: "*** Begin" },
  { name: "nothing", said: "", input: "" },
  { name: "an object of more", said: '{"a":"x","b":"y"}', input: '{"a":"x","b":"y"}' },
])("the input of a custom call is found in $name", ({ said, input }) => {
  const text = encoded([fragment(0, said, { id: "a", name: "apply_patch" })]);

  expect(finalResponse(text)["output"]).toEqual([
    {
      id: "ctc_s1_0",
      type: "custom_tool_call",
      status: "completed",
      call_id: "a",
      name: "apply_patch",
      input,
    },
  ]);
});

test("empty reasoning beside text opens nothing", () => {
  const text = encoded([
    chunk({ reasoning_content: "a" }),
    chunk({ content: "x", reasoning_content: "" }),
    chunk({ content: "y", reasoning_content: null }),
  ]);

  expect(finalResponse(text)).toMatchObject({
    output: [
      { type: "reasoning", summary: [{ text: "a" }] },
      { type: "message", content: [{ text: "xy" }] },
    ],
  });
});

test("usage and finish are told at the end, from wherever they stood, the last one counting", () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 15,
    prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 3 },
    cost: 0.25,
  };
  const early = { ...chunk({ content: "a" }), usage: { prompt_tokens: 1, completion_tokens: 1 } };

  const { usage: told } = finalResponse(encoded([early, chunk({}, "stop"), usageChunk(usage)]));

  expect(told).toEqual({
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 3 },
    total_tokens: 15,
    cost: 0.25,
  });
});

test("an answer repeats the request, and never claims to be stored", () => {
  const request = {
    instructions: "be brief",
    tools: [{ type: "web_search" }],
    tool_choice: "auto",
    text: { verbosity: "low" },
    metadata: { a: "b" },
    parallel_tool_calls: false,
    reasoning: { effort: "low" },
    store: true,
    input: "secret",
  };

  const response = finalResponse(encoded([chunk({ content: "a" })], request));

  const { input, store: _, ...repeated } = request;
  expect(response).toMatchObject({ ...repeated, store: false, previous_response_id: null });
  expect(JSON.stringify(response)).not.toContain(input);
});

test("citations become annotations", () => {
  const url_citation = { start_index: 0, end_index: 1, title: "t", url: "https://e.test" };
  const annotations = [{ type: "url_citation", url_citation }];

  const events = eventsOf(encoded([chunk({ content: "a" }), chunk({ annotations })]));

  const annotation = { type: "url_citation", ...url_citation };
  expect(typesOf(events)).toContain("output_text.annotation.added");
  expect(events.at(-1)).toMatchObject({
    response: { output: [{ content: [{ annotations: [annotation] }] }] },
  });
});

test("log probabilities stand with their text", () => {
  const content = [{ token: "a", logprob: -0.1, bytes: [97], top_logprobs: [] }];
  const choice = { index: 0, delta: { content: "a" }, logprobs: { content }, finish_reason: null };

  const events = eventsOf(encoded([{ id: "c", model: "m", choices: [choice] }]));

  expect(events.find(({ type }) => type === "response.output_text.delta")).toMatchObject({
    logprobs: content,
  });
  expect(events.at(-1)).toMatchObject({
    response: { output: [{ content: [{ logprobs: content }] }] },
  });
});

test("what a vendor wants back is sealed only for a client that sends it back", () => {
  const chunks = [
    chunk({ reasoning_details: [{ type: "reasoning.text", text: "hm", index: 0 }] }),
    chunk({ reasoning_details: [{ type: "reasoning.text", signature: "sig", index: 0 }] }),
    chunk({ content: "a" }),
  ];

  const [kept] = [finalResponse(encoded(chunks, KEEPS_REASONING))["output"]].flat();
  const [bare] = [finalResponse(encoded(chunks))["output"]].flat();

  expect(kept).toMatchObject({ encrypted_content: expect.stringContaining("veriroute.1.") });
  expect(bare).toEqual({
    id: "rs_s1_0",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "hm" }],
  });
});

test("encrypted reasoning of OpenAI's goes through as OpenAI wrote it", () => {
  const detail = { type: "reasoning.encrypted", data: "gAAA", format: "openai-responses-v1" };

  const text = encoded([chunk({ reasoning_details: [detail] })], KEEPS_REASONING);

  expect(finalResponse(text)["output"]).toEqual([
    { id: "rs_s1_0", type: "reasoning", summary: [], encrypted_content: "gAAA" },
  ]);
});

test("what a response has no room for is told", () => {
  const lost: string[] = [];
  const encoder = createResponsesEncoder({ ...contextOf(), onLoss: (name) => lost.push(name) });

  encoder.push(chunk({ content: "a", audio: { data: "x" }, annotations: [{ type: "t" }] }));

  expect(lost).toEqual(["audio"]);
});

test("a failure continues the numbers of a stream that was passed through, and announces nothing", () => {
  const encoder = createResponsesEncoder(contextOf(), {
    sequence_number: 41,
    response_id: "resp_vendor",
  });

  const events = eventsOf(encoder.fail({ code: "stream_interrupted", message: "cut" }));

  expect(events).toMatchObject([
    {
      type: "error",
      sequence_number: 42,
      code: "server_error",
      message: "cut",
      param: null,
      error: { type: "api_error", code: "server_error", message: "cut", param: null },
    },
    { type: "response.failed", sequence_number: 43, response: { id: "resp_vendor" } },
  ]);
});

test("calls without a name and what no item has room for are left out, and named", () => {
  const lost: string[] = [];
  const about = {
    seed: "s1",
    created_at: 1,
    model: "asked",
    newId: () => "call_1",
    tools: new Map(),
  };
  const encoder = FORMATS.responses.createEncoder({
    ...about,
    request: {},
    onLoss: (name) => lost.push(name),
  });

  const events = eventsOf(
    encoder.push(chunk({ content: "hi", audio: { id: "a" } })) +
      encoder.push(chunk({ tool_calls: [{ index: 0, id: "c", function: { arguments: "{}" } }] })) +
      encoder.end(),
  );

  expect(lost).toEqual(["audio", "tool_calls"]);
  expect(events.at(-1)).toMatchObject({ response: { output: [{ type: "message" }] } });
});
