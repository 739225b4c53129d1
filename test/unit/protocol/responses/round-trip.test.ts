import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { joinChunks } from "../../../../src/protocol/openai/aggregate.ts";
import { arrayOf, type JsonObject, objectOf } from "../../../../src/protocol/openai/fields.ts";
import { completionToResponse } from "../../../../src/protocol/translate/responses-answer/completion-to-response.ts";
import { responseToCompletion } from "../../../../src/protocol/translate/responses-answer/response-to-completion.ts";
import { chatToResponses } from "../../../../src/protocol/translate/responses-request/from-chat.ts";
import { responsesToChat } from "../../../../src/protocol/translate/responses-request/to-chat.ts";
import { createResponsesEncoder } from "../../../../src/protocol/translate/responses-stream/encoder.ts";
import {
  chunk,
  contextOf,
  decoded,
  encoded,
  finalResponse,
  fragment,
  KEEPS_REASONING,
  PARTS,
  usageChunk,
} from "./read-events.ts";

/** Any JSON, objects that cannot be made a string included. */
const hostile = fc.oneof(fc.jsonValue(), fc.constant({ toString: 1, valueOf: 1 }));

const word = fc.string({ minLength: 1, maxLength: 6, unit: "grapheme" });
const id = fc.stringMatching(/^call_[a-z0-9]{1,6}$/);
const json = fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify({ value }));
const finish = fc.constantFrom("stop", "length", "content_filter");

interface Said {
  readonly reasoning: readonly string[];
  readonly text: readonly string[];
  readonly refusal: readonly string[];
  readonly calls: readonly { readonly id: string; readonly json: string }[];
  readonly finish: string;
}

/** An answer that thinks, then speaks, then calls. */
const answer: fc.Arbitrary<Said> = fc.record({
  reasoning: fc.array(word, { maxLength: 3 }),
  text: fc.array(word, { maxLength: 3 }),
  refusal: fc.array(word, { maxLength: 1 }),
  calls: fc.uniqueArray(fc.record({ id, json }), { maxLength: 3, selector: (call) => call.id }),
  finish,
});

const USAGE = {
  prompt_tokens: 5,
  completion_tokens: 3,
  total_tokens: 8,
  prompt_tokens_details: { cached_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 1 },
};

function finishOf({ calls, finish: reason }: Said): string {
  return calls.length > 0 && reason === "stop" ? "tool_calls" : reason;
}

/** The answer as chat chunks, its calls told fragment by fragment and interleaved. */
function chunksOf(said: Said): JsonObject[] {
  const { reasoning, text, refusal, calls } = said;
  return [
    chunk({ role: "assistant", content: "" }),
    ...reasoning.map((delta) => chunk({ reasoning_content: delta })),
    ...text.map((delta) => chunk({ content: delta })),
    ...refusal.map((delta) => chunk({ refusal: delta })),
    ...calls.map((call, index) => fragment(index, "", { id: call.id, name: "run" })),
    ...calls.map((call, index) => fragment(index, call.json.slice(0, 3))),
    ...calls.map((call, index) => fragment(index, call.json.slice(3))),
    chunk({}, finishOf(said)),
    usageChunk(USAGE),
  ];
}

/** The answer as the message and finish of a whole completion. */
function wholeOf(said: Said) {
  const { reasoning, text, refusal, calls } = said;
  const tool_calls = calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: "run", arguments: call.json },
  }));
  return {
    finish_reason: finishOf(said),
    message: {
      role: "assistant",
      content: text.length === 0 ? null : text.join(""),
      ...(reasoning.length > 0 && { reasoning_content: reasoning.join("") }),
      ...(refusal.length > 0 && { refusal: refusal.join("") }),
      ...(tool_calls.length > 0 && { tool_calls }),
    },
  };
}

/** What a completion says, empty text and none being one. */
function saidBy(completion: JsonObject | undefined) {
  const [choice] = arrayOf(completion?.["choices"]);
  const { message, finish_reason } = objectOf(choice);
  const { content, ...rest } = objectOf(message);
  return { finish_reason, message: { ...rest, content: content === "" ? null : content } };
}

describe("answers", () => {
  test("a chat stream told as Responses and read back says the same", () => {
    fc.assert(
      fc.property(answer, (said) => {
        const { chunks, is_done, errors } = decoded(encoded(chunksOf(said)));

        const body = joinChunks(chunks, "chat");
        expect({ is_done, errors }).toEqual({ is_done: true, errors: [] });
        expect(saidBy(body)).toEqual(wholeOf(said));
        expect(body).toMatchObject({ model: "served", usage: USAGE });
      }),
    );
  });

  test("a whole chat answer told as a response and read back says the same", () => {
    fc.assert(
      fc.property(answer, (said) => {
        const completion = { id: "c", model: "served", choices: [wholeOf(said)], usage: USAGE };

        const back = responseToCompletion(completionToResponse(completion, contextOf()), PARTS);

        expect(saidBy(back)).toEqual(wholeOf(said));
        expect(back).toMatchObject({ object: "chat.completion", model: "served", usage: USAGE });
      }),
    );
  });

  test("a whole answer and a stream that says the same are one response", () => {
    fc.assert(
      fc.property(answer, (said) => {
        const completion = { model: "served", choices: [wholeOf(said)], usage: USAGE };

        const whole = completionToResponse(completion, contextOf(KEEPS_REASONING));

        expect(finalResponse(encoded(chunksOf(said), KEEPS_REASONING))).toEqual(whole);
      }),
    );
  });

  test("what a vendor wants to see again comes back with the next request, seal and all", () => {
    const details = [
      {
        type: "reasoning.text",
        text: "hm",
        signature: "c2ln",
        format: "anthropic-claude-v1",
        index: 0,
      },
      { type: "reasoning.encrypted", data: "x", format: "anthropic-claude-v1", index: 1 },
    ];
    const extra_content = { google: { thought_signature: "dGhpbms=" } };
    const call = { id: "a", type: "function", function: { name: "run", arguments: "{}" } };
    const message = {
      role: "assistant",
      content: null,
      reasoning_content: "hm",
      reasoning_details: details,
      tool_calls: [{ ...call, extra_content }],
    };

    const response = completionToResponse({ choices: [{ message }] }, contextOf(KEEPS_REASONING));
    const { body, lossy, refused } = responsesToChat({
      model: "m",
      input: [
        ...arrayOf(response["output"]),
        { type: "function_call_output", call_id: "a", output: "ok" },
      ],
    });

    expect({ lossy, refused }).toEqual({ lossy: [], refused: [] });
    expect(body["messages"]).toEqual([message, { role: "tool", tool_call_id: "a", content: "ok" }]);
  });
});

/** One turn of a conversation in chat. A text with calls right behind it is one turn with them. */
const turn = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "developer"), content: word }).map((one) => [one]),
  fc.record({ said: word, asked: word }).map(({ said, asked }) => [
    { role: "assistant", content: said },
    { role: "user", content: asked },
  ]),
  fc.record({ text: fc.option(word), id, json, result: word }).map((one) => [
    {
      role: "assistant",
      content: one.text,
      tool_calls: [
        { id: one.id, type: "function", function: { name: "run", arguments: one.json } },
      ],
    },
    { role: "tool", tool_call_id: one.id, content: one.result },
  ]),
  fc.record({ text: word, url: fc.webUrl() }).map(({ text, url }) => [
    {
      role: "user",
      content: [
        { type: "text", text },
        { type: "image_url", image_url: { url, detail: "auto" } },
      ],
    },
  ]),
);

const chatBody = fc.record({
  system: fc.option(word),
  turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
  settings: fc.record(
    {
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      max_tokens: fc.integer({ min: 16, max: 9999 }),
      reasoning_effort: fc.constantFrom("low", "high"),
      verbosity: fc.constantFrom("low", "high"),
      stream: fc.boolean(),
      user: word,
      response_format: fc.constantFrom(
        { type: "json_object" },
        { type: "json_schema", json_schema: { name: "n", schema: { type: "object" } } },
      ),
    },
    { requiredKeys: [] },
  ),
  tool_choice: fc.constantFrom(undefined, "auto", "required", {
    type: "function",
    function: { name: "run" },
  }),
});

const TOOL = {
  type: "function",
  function: { name: "run", description: "d", parameters: { type: "object" }, strict: false },
};

describe("requests", () => {
  test("a chat request told as Responses and read back is the same", () => {
    fc.assert(
      fc.property(chatBody, ({ system, turns, settings, tool_choice }) => {
        const messages = [
          ...(system === null ? [] : [{ role: "system", content: system }]),
          ...turns.flat(),
        ];
        const choice = tool_choice !== undefined && { tool_choice };
        const body = { model: "m", ...settings, messages, tools: [TOOL], ...choice };

        const there = chatToResponses(body);
        const back = responsesToChat(there.body);

        expect([there.lossy, there.refused, back.lossy, back.refused]).toEqual([[], [], [], []]);
        expect(back.body).toEqual(body);
      }),
    );
  });

  test("a Responses request told as chat and read back is the same but for ids and store", () => {
    const input = [
      { type: "message", role: "developer", content: "be brief" },
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "see" },
          { type: "input_image", image_url: "https://e.test/a.png", detail: "high" },
        ],
      },
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: "gAAA",
      },
      {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "I look.", annotations: [] }],
      },
      { type: "function_call", call_id: "a", name: "run", arguments: '{"x":1}' },
      { type: "function_call_output", call_id: "a", output: "ok" },
    ];
    const body = {
      model: "m",
      instructions: "you are an agent",
      input,
      max_output_tokens: 100,
      reasoning: { effort: "low" },
      include: ["reasoning.encrypted_content"],
      text: { format: { type: "json_object" }, verbosity: "low" },
      tools: [{ type: "function", name: "run", parameters: { type: "object" }, strict: true }],
      tool_choice: "auto",
      parallel_tool_calls: false,
      prompt_cache_key: "k",
    };

    expect(chatToResponses(responsesToChat(body).body).body).toEqual({ ...body, store: false });
  });
});

describe("whatever is sent", () => {
  const members = fc.dictionary(
    fc.constantFrom(
      "input",
      "instructions",
      "tools",
      "tool_choice",
      "messages",
      "reasoning",
      "text",
      "include",
      "previous_response_id",
      "response_format",
    ),
    fc.oneof(hostile, fc.array(entryOf(), { maxLength: 5 })),
  );

  test("no request makes a translation throw", () => {
    fc.assert(
      fc.property(members, (body) => {
        expect(() => responsesToChat(body)).not.toThrow();
        expect(() => chatToResponses(body)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  test("no chunk makes a stream throw, and it always ends with the whole response", () => {
    const delta = fc.record(
      {
        content: hostile,
        reasoning_content: hostile,
        reasoning_details: fc.oneof(fc.array(hostile), hostile),
        refusal: hostile,
        tool_calls: fc.oneof(fc.array(entryOf()), hostile),
        annotations: fc.oneof(fc.array(entryOf()), hostile),
      },
      { requiredKeys: [] },
    );
    const choice = fc.record({ index: fc.constant(0), delta, finish_reason: hostile });
    const each = fc.record({
      choices: fc.oneof(fc.array(choice), hostile),
      usage: hostile,
      model: hostile,
    });
    fc.assert(
      fc.property(fc.array(each, { maxLength: 5 }), (chunks) => {
        const encoder = createResponsesEncoder(contextOf(KEEPS_REASONING));
        const text = chunks.map((one) => encoder.push(one)).join("") + encoder.end();
        expect(["completed", "incomplete"]).toContain(String(finalResponse(text)["status"]));
      }),
    );
  });
});

/** An item, a tool, a call or a part, with members of any kind. */
function entryOf(): fc.Arbitrary<JsonObject> {
  return fc.record(
    {
      type: fc.oneof(
        fc.constantFrom(
          "message",
          "reasoning",
          "function_call",
          "function_call_output",
          "custom_tool_call",
          "shell_call",
          "item_reference",
          "function",
          "custom",
          "namespace",
          "url_citation",
        ),
        hostile,
      ),
      role: fc.oneof(fc.constantFrom("user", "assistant", "tool"), hostile),
      content: hostile,
      id: hostile,
      call_id: hostile,
      name: hostile,
      namespace: hostile,
      arguments: hostile,
      output: hostile,
      tools: hostile,
      function: hostile,
      encrypted_content: fc.oneof(fc.string(), fc.constant("veriroute.1.eyI="), hostile),
    },
    { requiredKeys: [] },
  );
}
