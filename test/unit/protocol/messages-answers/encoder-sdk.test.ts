import { expect, test } from "bun:test";

import { createMessagesEncoder } from "../../../../src/protocol/translate/messages-answers/encoder.ts";
import { readBySdk, SDKS } from "./sdk.ts";
import { callChunk, chunk, encoded } from "./streams.ts";

const CHUNKS = [
  chunk({ role: "assistant", content: "" }),
  chunk({ reasoning_content: "Hm." }),
  chunk({ content: "Looking" }),
  chunk({ content: " twice." }),
  callChunk(0, "", { id: "call_1", type: "function", name: "ls" }),
  callChunk(1, '{"city":"Pa', { id: "call_2", type: "function", name: "weather" }),
  callChunk(1, 'ris"}'),
  chunk({}, "tool_calls"),
  { choices: [], usage: { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 } },
];

test.each(SDKS)("the SDK's own helper reads a written stream whole: $name", async ({ stream }) => {
  const { message } = await readBySdk(stream(encoded(CHUNKS).text));

  expect(message).toEqual({
    id: "msg_own",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "thinking", thinking: "Hm.", signature: "" },
      { type: "text", text: "Looking twice." },
      { type: "tool_use", id: "call_1", name: "ls", input: {} },
      { type: "tool_use", id: "call_2", name: "weather", input: { city: "Paris" } },
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    parsed_output: null,
    usage: {
      input_tokens: 12,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 9,
    },
  });
});

test.each(SDKS)("the SDK throws the error that ends a stream: $name", async ({ stream }) => {
  const encoder = createMessagesEncoder({
    id: "msg_1",
    model: "m",
    newId: () => "n",
    onLoss: () => undefined,
  });
  const begun = encoder.push(chunk({ content: "Half" }));
  const failed = encoder.fail({ code: "upstream_overloaded", message: "everyone is busy" });

  expect(await readBySdk(stream(begun + failed))).toEqual({
    error: expect.stringContaining("everyone is busy"),
  });
  expect(await readBySdk(stream(failed))).toEqual({
    error: expect.stringContaining("overloaded_error"),
  });
});
