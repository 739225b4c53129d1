import { expect, test } from "bun:test";

import OpenAI7 from "openai";
import OpenAI6 from "openai-v6";

import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { createResponsesEncoder } from "../../../../src/protocol/translate/responses-stream/encoder.ts";
import { chunk, contextOf, encoded, fragment, KEEPS_REASONING, usageChunk } from "./read-events.ts";

const QUESTION = { model: "m", input: "q" };

const SDKS = [
  {
    name: "openai 7",
    stream: (baseURL: string) => new OpenAI7({ baseURL, apiKey: "k" }).responses.stream(QUESTION),
  },
  {
    name: "openai 6",
    stream: (baseURL: string) => new OpenAI6({ baseURL, apiKey: "k" }).responses.stream(QUESTION),
  },
];

/** What `responses.stream` of an SDK makes of a stream's text. */
async function streamed(sdk: (typeof SDKS)[number], text: string) {
  using server = Bun.serve({
    port: 0,
    fetch: () => new Response(text, { headers: { "content-type": "text/event-stream" } }),
  });
  const stream = sdk.stream(`${server.url.origin}/v1`);
  const types: string[] = [];
  for await (const event of stream) types.push(event.type);
  return { types, response: await stream.finalResponse() };
}

const EVERYTHING = [
  chunk({ role: "assistant", content: "" }),
  chunk({ reasoning_content: "let me " }),
  chunk({ reasoning_content: "see" }),
  chunk({ content: "Hello " }),
  chunk({ content: "wörld 👋" }),
  fragment(0, '{"in', { id: "call_a", name: "apply_patch" }),
  fragment(1, "", { id: "call_b", name: "agents__spawn" }),
  fragment(0, 'put":"*** Begin"}'),
  fragment(2, '{"cmd":', { id: "call_c", name: "run" }),
  fragment(1, '{"n":1}'),
  fragment(2, '"ls"}'),
  chunk({}, "tool_calls"),
  usageChunk({ prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 }),
];

test.each(SDKS)("$name reads reasoning, text and interleaved calls to the end", async (sdk) => {
  const { types, response } = await streamed(sdk, encoded(EVERYTHING, KEEPS_REASONING));

  expect(types[0]).toBe("response.created");
  expect(types.at(-1)).toBe("response.completed");
  expect(response).toMatchObject({
    id: "resp_s1",
    status: "completed",
    model: "served",
    output_text: "Hello wörld 👋",
    usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13 },
    output: [
      { type: "reasoning", summary: [{ type: "summary_text", text: "let me see" }] },
      { type: "message", content: [{ type: "output_text", text: "Hello wörld 👋" }] },
      { type: "custom_tool_call", call_id: "call_a", name: "apply_patch", input: "*** Begin" },
      {
        type: "function_call",
        call_id: "call_b",
        name: "spawn",
        namespace: "agents",
        arguments: '{"n":1}',
      },
      { type: "function_call", call_id: "call_c", name: "run", arguments: '{"cmd":"ls"}' },
    ],
  });
});

const ENDINGS: readonly {
  readonly name: string;
  readonly chunks: readonly JsonObject[];
  readonly response: object;
}[] = [
  {
    name: "an answer of nothing",
    chunks: [chunk({ role: "assistant" }), chunk({}, "stop")],
    response: { status: "completed", output: [] },
  },
  {
    name: "a refusal",
    chunks: [chunk({ refusal: "I will not." }), chunk({}, "stop")],
    response: {
      status: "completed",
      output: [{ content: [{ type: "refusal", refusal: "I will not." }] }],
    },
  },
  {
    name: "text, then a refusal",
    chunks: [chunk({ content: "Well" }), chunk({ refusal: "no." }), chunk({}, "content_filter")],
    response: {
      status: "incomplete",
      incomplete_details: { reason: "content_filter" },
      output: [{ content: [{ text: "Well" }, { refusal: "no." }], status: "incomplete" }],
    },
  },
  {
    name: "a cut at the client's cap",
    chunks: [chunk({ content: "Once upon" }), chunk({}, "length")],
    response: {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ content: [{ text: "Once upon" }], status: "incomplete" }],
    },
  },
  {
    name: "a call cut at the cap",
    chunks: [fragment(0, '{"cmd":"rm', { id: "c", name: "run" }), chunk({}, "length")],
    response: {
      status: "incomplete",
      output: [{ type: "function_call", arguments: '{"cmd":"rm', status: "incomplete" }],
    },
  },
  {
    name: "a call without arguments",
    chunks: [fragment(0, "", { id: "c", name: "run" }), chunk({}, "tool_calls")],
    response: { status: "completed", output: [{ type: "function_call", arguments: "{}" }] },
  },
  {
    name: "thoughts between words",
    chunks: [
      chunk({ content: "a" }),
      chunk({ reasoning_content: "hm" }),
      chunk({ content: "b" }),
      chunk({}, "stop"),
    ],
    response: {
      output_text: "ab",
      output: [{ type: "message" }, { type: "reasoning" }, { type: "message" }],
    },
  },
];

const CASES = SDKS.flatMap((sdk) =>
  ENDINGS.map((ending) => ({ sdk, ending, of: sdk.name, name: ending.name })),
);

test.each(CASES)("$of reads $name", async ({ sdk, ending }) => {
  const { response } = await streamed(sdk, encoded(ending.chunks));

  expect(response).toMatchObject(ending.response);
});

const FAILURES = SDKS.flatMap((sdk) => [
  { sdk, of: sdk.name, name: "as the first thing", chunks: [] },
  { sdk, of: sdk.name, name: "in the middle of everything", chunks: EVERYTHING.slice(0, 9) },
]);

test.each(FAILURES)("$of throws what a failure $name says", async ({ sdk, chunks }) => {
  const encoder = createResponsesEncoder(contextOf());
  const begun = chunks.map((each) => encoder.push(each)).join("");
  const failed = encoder.fail({ code: "stream_interrupted", message: "The upstream stopped." });

  const error = await failureOf(streamed(sdk, begun + failed));

  expect(error).toMatchObject({ code: "server_error", message: "The upstream stopped." });
});

test.each(SDKS)("$name sees the failure of a stream that was passed through", async (sdk) => {
  const [created = "", inProgress = ""] = encoded([chunk({})]).split(/(?<=\n\n)/);
  const resumed = createResponsesEncoder(contextOf(), {
    sequence_number: 1,
    response_id: "resp_s1",
  });
  const failed = resumed.fail({ code: "upstream_timeout", message: "Silence." });

  const error = await failureOf(streamed(sdk, created + inProgress + failed));

  expect(error).toMatchObject({ code: "server_error", message: "Silence." });
});

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await call };
  } catch (error) {
    return error;
  }
}
