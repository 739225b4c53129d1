import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { claudeFacts } from "../../../../src/protocol/anthropic/request/claude-models.ts";
import { chatToMessages } from "../../../../src/protocol/translate/messages/chat-to-messages.ts";
import { brokenRules } from "./messages-rules.ts";

const text = fc
  .string({ minLength: 1, maxLength: 12, unit: "grapheme" })
  .filter((value) => value.trim() !== "");
const anyText = fc.oneof(text, fc.constantFrom("", " ", "\n", "[tool error] x", "The \n"));
const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
/** Any history a chat client may come with: orphans, gaps, doubled ids, blank text. */
const messyMessage = fc.oneof(
  fc.record({
    role: fc.constantFrom("user", "system", "developer"),
    content: fc.oneof(
      anyText,
      fc.array(fc.record({ type: fc.constant("text"), text: anyText }), { maxLength: 3 }),
    ),
  }),
  fc.record({
    role: fc.constant("assistant"),
    content: fc.oneof(anyText, fc.constant(null)),
    reasoning_details: fc.array(
      fc.record({
        type: fc.constantFrom("reasoning.text", "reasoning.encrypted"),
        text: anyText,
        data: base64,
        signature: fc.oneof(base64, fc.constant("")),
        format: fc.constantFrom("anthropic-claude-v1", "other", null),
      }),
      { maxLength: 2 },
    ),
    tool_calls: fc.array(
      fc.record({
        id: fc.constantFrom("a", "b", "c:1", "", "ü"),
        type: fc.constant("function"),
        function: fc.record({
          name: fc.constantFrom("f", "g.h", ""),
          arguments: fc.oneof(anyText, fc.constant('{"a":1}')),
        }),
      }),
      { maxLength: 3 },
    ),
  }),
  fc.record({
    role: fc.constant("tool"),
    tool_call_id: fc.constantFrom("a", "b", "c:1", "", "ü"),
    content: anyText,
  }),
);

const messyChat = fc.record(
  {
    messages: fc.array(messyMessage, { maxLength: 8 }),
    max_tokens: fc.integer({ min: 1, max: 200_000 }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    top_p: fc.double({ min: 0, max: 1, noNaN: true }),
    reasoning_effort: fc.constantFrom("none", "minimal", "low", "medium", "high", "xhigh", "max"),
    tools: fc.constantFrom([], [{ type: "function", function: { name: "f" } }]),
    tool_choice: fc.constantFrom("auto", "none", "required"),
    parallel_tool_calls: fc.boolean(),
  },
  { requiredKeys: ["messages"] },
);

const MODELS = [
  "claude-3-haiku",
  "claude-haiku-4-5",
  "claude-sonnet-4-6",
  "claude-opus-4-8",
  "claude-opus-5",
  "claude-sonnet-5-5",
  "claude-fable-5-1",
];

test("whatever a chat client sends, Anthropic takes it or the client is told why not", () => {
  fc.assert(
    fc.property(
      messyChat,
      fc.constantFrom(...MODELS),
      fc.boolean(),
      (chat, model, keep_thinking) => {
        const { body, refused } = chatToMessages(chat, { model, keep_thinking });

        if (refused.length === 0) expect(brokenRules(body, claudeFacts(model))).toEqual([]);
      },
    ),
    { numRuns: 400 },
  );
});
