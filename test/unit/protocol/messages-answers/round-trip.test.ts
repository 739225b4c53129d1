import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { aggregateMessages } from "../../../../src/protocol/anthropic/aggregate.ts";
import { expandMessage } from "../../../../src/protocol/anthropic/message-events.ts";
import { isVisible, type JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { callChunk, chunk, decoded, encoded, framesAt } from "./streams.ts";

const visible = fc.string({ minLength: 1, maxLength: 8 }).filter(isVisible);
const input = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});

/** An answer in the order that both dialects can say: thoughts, text, calls. */
const answer = fc.record({
  thoughts: fc.array(visible, { maxLength: 3 }),
  texts: fc.array(visible, { maxLength: 3 }),
  inputs: fc.array(input, { maxLength: 3 }),
  isCut: fc.boolean(),
  prompt: fc.nat(1000),
  completion: fc.nat(1000),
});

test("chat to Messages and back is the same answer", () => {
  fc.assert(
    fc.property(answer, ({ thoughts, texts, inputs, isCut, prompt, completion }) => {
      const finish = isCut ? "length" : inputs.length > 0 ? "tool_calls" : "stop";
      const chunks = [
        chunk({ role: "assistant", content: "" }),
        ...thoughts.map((reasoning_content) => chunk({ reasoning_content })),
        ...texts.map((content) => chunk({ content })),
        ...inputs.map((value, index) =>
          callChunk(index, JSON.stringify(value), { id: `c${index}`, name: `f${index}` }),
        ),
        chunk({}, finish),
        { choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion } },
      ];

      const { completion: back } = decoded(encoded(chunks).text);

      const reasoning = thoughts.join("");
      const calls = inputs.map((value, index) => ({
        id: `c${index}`,
        type: "function",
        function: { name: `f${index}`, arguments: JSON.stringify(value) },
      }));
      expect(back).toMatchObject({
        model: "m",
        choices: [
          {
            message: {
              content: texts.join(""),
              ...(reasoning !== "" && { reasoning_content: reasoning }),
              ...(calls.length > 0 && { tool_calls: calls }),
            },
            finish_reason: finish,
          },
        ],
        usage: { prompt_tokens: prompt, completion_tokens: completion },
      });
    }),
    { numRuns: 150 },
  );
});

const block = fc.oneof(
  visible.map((text) => ({ type: "text", text })),
  fc.record({
    type: fc.constant("thinking"),
    thinking: fc.string({ maxLength: 8 }),
    signature: fc.stringMatching(/^[a-z]{4,8}$/),
  }),
  visible.map((data) => ({ type: "redacted_thinking", data })),
  input.map((value) => ({ type: "tool_use", name: "f", input: value })),
);

/** Text after text is one text for chat, and calls come last: those losses are listed in the docs. */
function asChatKeeps(blocks: readonly JsonObject[]): JsonObject[] {
  const of = (...types: readonly string[]) =>
    blocks.filter(({ type }) => types.includes(String(type)));
  const text = of("text")
    .map((each) => String(each["text"]))
    .join("");
  return [
    ...of("thinking", "redacted_thinking"),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...of("tool_use"),
  ];
}

test("Messages to chat and back keeps every block, signatures included", () => {
  fc.assert(
    fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
      const content = asChatKeeps(
        blocks.map((each, at) => ("name" in each ? { ...each, id: `toolu_${at}` } : each)),
      );
      const isCall = content.some(({ type }) => type === "tool_use");
      const stop_reason = isCall ? "tool_use" : "end_turn";
      const message = {
        id: "msg_own",
        type: "message",
        role: "assistant",
        model: "m",
        content,
        stop_reason,
        stop_sequence: null,
        usage: {
          input_tokens: 3,
          cache_creation_input_tokens: 2,
          cache_read_input_tokens: 1,
          output_tokens: 4,
        },
      };

      const { chunks } = decoded(expandMessage(message));
      const joined = aggregateMessages(framesAt(encoded(chunks).text, []));

      expect(joined).toEqual({ kind: "answer", is_finished: true, body: message });
    }),
    { numRuns: 200 },
  );
});
