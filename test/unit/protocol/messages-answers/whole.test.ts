import { expect, test } from "bun:test";

import { aggregateMessages } from "../../../../src/protocol/anthropic/aggregate.ts";
import { expandMessage } from "../../../../src/protocol/anthropic/message-events.ts";
import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import {
  completionToMessage,
  messageToCompletion,
} from "../../../../src/protocol/translate/messages-answers/whole.ts";
import { countedIds } from "../openai/read-stream.ts";
import { readBySdk, SDKS } from "./sdk.ts";
import { decoded, framesAt, recorded, streamOf } from "./streams.ts";

const RECORDED = [
  "text",
  "stop-sequence",
  "max-tokens",
  "tools",
  "parallel-tools",
  "thinking",
  "interleaved-thinking",
  "redacted-thinking",
  "refusal",
  "server-tools",
];

/** The whole message of a stream. */
function whole(text: string): JsonObject {
  const joined = aggregateMessages(framesAt(text, []));
  return joined.kind === "answer" ? joined.body : {};
}

const decoding = () => ({
  id: "chatcmpl-own",
  model: "own-model",
  created: 1_700_000_000,
  newId: countedIds(),
  onLoss: () => undefined,
});

const encoding = (losses: string[] = []) => ({
  id: "msg_own",
  model: "own-model",
  newId: countedIds(),
  onLoss: (name: string) => losses.push(name),
});

test("a stream is put together with all it has, also what chat has no room for", async () => {
  const text = await recorded("server-tools");

  expect(aggregateMessages(framesAt(text, [100, 900]))).toEqual({
    kind: "answer",
    is_finished: true,
    body: {
      id: "msg_01Fixture",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5-5",
      content: [
        { type: "server_tool_use", id: "srvtoolu_01", name: "web_search", input: { query: "bun" } },
        {
          type: "web_search_tool_result",
          tool_use_id: "srvtoolu_01",
          content: [
            {
              type: "web_search_result",
              url: "https://bun.example",
              title: "Bun",
              encrypted_content: "Eo8B",
              page_age: null,
            },
          ],
        },
        {
          type: "text",
          text: "It is fast.",
          citations: [
            {
              type: "web_search_result_location",
              url: "https://bun.example",
              title: "Bun",
              encrypted_index: "Eo8B",
              cited_text: "fast",
            },
          ],
        },
      ],
      stop_reason: "end_turn",
      stop_sequence: null,
      stop_details: null,
      usage: {
        input_tokens: 25,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 40,
        service_tier: "standard",
        server_tool_use: { web_search_requests: 1 },
      },
    },
  });
});

test.each(RECORDED)(
  "a whole message streams, and its stream is that message again: %s",
  async (name) => {
    const message = whole(await recorded(name));

    expect(whole(expandMessage(message))).toEqual(message);
  },
);

/** Only a stream can leave arguments that broke off as they are. */
const UNBROKEN = RECORDED.filter((name) => name !== "max-tokens");

test.each(UNBROKEN)("a whole message comes to the chat answer of its stream: %s", async (name) => {
  const text = await recorded(name);

  expect(messageToCompletion(whole(text), decoding())).toEqual(decoded(text).completion ?? {});
});

test.each(SDKS)(
  "the SDK's helper reads a stream made of a whole message: $name",
  async ({ stream }) => {
    const message = whole(await recorded("tools"));

    const read = await readBySdk(stream(expandMessage(message)));

    expect(read.message).toMatchObject({ content: message["content"], stop_reason: "tool_use" });
  },
);

test("a chat completion becomes a message with all that has a place there", () => {
  const losses: string[] = [];
  const message = completionToMessage(
    {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 1,
      model: "served-model",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Looking.",
            reasoning_content: "Hm.",
            annotations: [{ type: "url_citation" }],
            tool_calls: [
              { id: "c1", type: "function", function: { name: "ls", arguments: "" } },
              { id: "c2", type: "function", function: { name: "cat", arguments: '{"path":"/a"}' } },
              { id: "c3", type: "function", function: { name: "rm", arguments: '["/"]' } },
            ],
          },
          finish_reason: "tool_calls",
        },
        { index: 1, message: { content: "other" }, finish_reason: "stop" },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
    },
    encoding(losses),
  );

  expect({ message, losses }).toEqual({
    message: {
      id: "msg_own",
      type: "message",
      role: "assistant",
      model: "served-model",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "" },
        { type: "text", text: "Looking." },
        { type: "tool_use", id: "c1", name: "ls", input: {} },
        { type: "tool_use", id: "c2", name: "cat", input: { path: "/a" } },
        { type: "tool_use", id: "c3", name: "rm", input: { _raw: '["/"]' } },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: {
        input_tokens: 9,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 5,
      },
    },
    losses: ["annotations", "choices"],
  });
});

test.each([
  { name: "nothing", text: ": hello\n\n", kind: "nothing" },
  { name: "an error", text: streamOf({ type: "error", error: { message: "no" } }), kind: "error" },
  {
    name: "an error after content",
    text: streamOf(
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } },
      { type: "error", error: { message: "no" } },
    ),
    kind: "error",
  },
  {
    name: "an event that nests too deeply",
    text: `data: {"type":"message_start","message":${'{"a":'.repeat(2000)}1${"}".repeat(2000)}}\n\n`,
    kind: "too_deep",
  },
])("what is no message is told apart: $name", ({ text, kind }) => {
  expect(aggregateMessages(framesAt(text, []))).toMatchObject({ kind });
});

test("a stream that breaks off is put together as unfinished", async () => {
  const text = await recorded("text");

  const joined = aggregateMessages(
    framesAt(text.slice(0, text.indexOf("event: message_delta")), []),
  );

  expect(joined).toMatchObject({ kind: "answer", is_finished: false });
});

test.each([
  { name: "content that is text", message: { content: "hi" }, content: "hi" },
  { name: "no content", message: {}, content: "" },
  { name: "blocks of no known shape", message: { content: [null, 7, {}] }, content: "" },
])("whatever stands in a message, a completion comes of it: $name", ({ message, content }) => {
  expect(messageToCompletion(message, decoding())).toMatchObject({
    object: "chat.completion",
    choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }],
  });
});
