import { expect, test } from "bun:test";

import * as fc from "fast-check";

import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { expandResponse } from "../../../../src/protocol/responses/expand-response.ts";
import { finalResponse } from "../../../../src/protocol/responses/final-response.ts";
import { completionToResponse } from "../../../../src/protocol/translate/responses-answer/completion-to-response.ts";
import { framesOf } from "../openai/read-stream.ts";
import { chunk, contextOf, encoded, eventsOf, fragment, typesOf } from "./read-events.ts";

const MESSAGE = {
  id: "msg_1",
  type: "message",
  status: "completed",
  role: "assistant",
  content: [
    { type: "output_text", text: "hi", annotations: [{ type: "url_citation" }], logprobs: [] },
    { type: "refusal", refusal: "no" },
  ],
};
const ITEMS: readonly JsonObject[] = [
  { id: "ws_1", type: "web_search_call", status: "completed" },
  { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
  MESSAGE,
  {
    id: "fc_1",
    type: "function_call",
    status: "completed",
    call_id: "c",
    name: "f",
    arguments: "{}",
  },
  { id: "ct_1", type: "custom_tool_call", call_id: "d", name: "patch", input: "x" },
];
const RESPONSE = {
  id: "resp_1",
  object: "response",
  status: "completed",
  output: ITEMS,
  usage: {},
};

test("a whole response told as a stream comes back byte for byte, whatever its items", () => {
  fc.assert(
    fc.property(fc.subarray([...ITEMS]), fc.boolean(), (output, isCut) => {
      const status = isCut ? "incomplete" : "completed";
      const response = { ...RESPONSE, output, status };

      expect(finalResponse(framesOf(expandResponse(response)))).toEqual(response);
    }),
  );
});

test("its events are those that a stream of the same answer has", () => {
  const calls = [{ id: "c", type: "function", function: { name: "run", arguments: "{}" } }];
  const message = { reasoning_content: "hm", content: "hi", tool_calls: calls };
  const whole = completionToResponse(
    { model: "served", choices: [{ index: 0, message, finish_reason: "tool_calls" }] },
    contextOf(),
  );
  const stream = encoded([
    chunk({ reasoning_content: "hm" }),
    chunk({ content: "hi" }),
    fragment(0, "{}", { id: "c", name: "run" }),
    chunk({}, "tool_calls"),
  ]);

  const told = eventsOf(expandResponse(whole)).slice(2);

  expect(typesOf(told)).toEqual(typesOf(eventsOf(stream)).slice(2));
  expect(told).toEqual(eventsOf(stream).slice(2));
});

test("a call that broke off is told and never said to be done", () => {
  const output = [{ ...ITEMS[3], status: "incomplete", arguments: '{"a' }];

  const events = eventsOf(expandResponse({ ...RESPONSE, status: "incomplete", output }));

  expect(typesOf(events).slice(2)).toEqual([
    "output_item.added",
    "function_call_arguments.delta",
    "incomplete",
  ]);
});

test("an end without its output has what was said to be done", () => {
  const end = { type: "response.completed", response: { ...RESPONSE, output: [] } };
  const [, ...frames] = framesOf(expandResponse(RESPONSE)).toReversed();

  expect(
    finalResponse([...frames.toReversed(), ...framesOf(`data: ${JSON.stringify(end)}\n\n`)]),
  ).toEqual(RESPONSE);
});

test("a stream that was cut came to nothing", () => {
  expect(finalResponse(framesOf(expandResponse(RESPONSE)).slice(0, -1))).toBeNull();
});
