import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { chatToMessages } from "../../../../src/protocol/translate/messages/chat-to-messages.ts";
import { messagesToChat } from "../../../../src/protocol/translate/messages/messages-to-chat.ts";

const text = fc
  .string({ minLength: 1, maxLength: 12, unit: "grapheme" })
  .filter((value) => value.trim() !== "");
const base64 = fc.base64String({ minLength: 4, maxLength: 12 });
const json = fc.dictionary(
  fc.string({ maxLength: 4 }).filter((key) => key !== "__proto__"),
  fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
  { maxKeys: 3 },
);

const textBlock = fc.record(
  { type: fc.constant("text"), text, cache_control: fc.constant({ type: "ephemeral" }) },
  { requiredKeys: ["type", "text"] },
);
const image = fc.oneof(
  base64.map((data) => ({
    type: "image",
    source: { type: "base64", media_type: "image/png", data },
  })),
  fc.webUrl().map((url) => ({ type: "image", source: { type: "url", url } })),
);
const pdf = base64.map((data) => ({
  type: "document",
  title: "a.pdf",
  source: { type: "base64", media_type: "application/pdf", data },
}));
const thinking = fc.oneof(
  fc.record({
    type: fc.constant("thinking"),
    thinking: fc.oneof(text, fc.constant("")),
    signature: base64.filter((value) => value !== ""),
  }),
  fc.record({
    type: fc.constant("redacted_thinking"),
    data: base64.filter((value) => value !== ""),
  }),
);

/** A question, an answer, and perhaps a round of tools between; blocks of more than one, as chat keeps them. */
const exchange = fc.record({
  asked: fc.array(fc.oneof(textBlock, image, pdf), { minLength: 2, maxLength: 3 }),
  thought: fc.array(thinking, { maxLength: 2 }),
  said: text,
  inputs: fc.array(json, { maxLength: 2 }),
  results: fc.array(text, { minLength: 2, maxLength: 2 }),
});

const conversation = fc
  .array(exchange, { minLength: 1, maxLength: 3 })
  .map((exchanges) => exchanges.flatMap(turnsOf).concat({ role: "user", content: QUESTION }));

const QUESTION = [
  { type: "text", text: "a" },
  { type: "text", text: "b" },
];

type Valued<T> = T extends fc.Arbitrary<infer V> ? V : never;

function turnsOf({ asked, thought, said, inputs, results }: Valued<typeof exchange>, at: number) {
  const spoken = [...thought, { type: "text", text: said }];
  const calls = inputs.map((input, index) => ({
    type: "tool_use",
    id: `t${at}_${index}`,
    name: "f",
    input,
  }));
  const answers = calls.map(({ id }, index) => ({
    type: "tool_result",
    tool_use_id: id,
    content: `r${results[index]}`,
  }));
  const turns = [
    { role: "user", content: asked },
    { role: "assistant", content: [...spoken, ...calls] },
  ];
  const round = [
    { role: "user", content: answers },
    { role: "assistant", content: spoken },
  ];
  return calls.length === 0 ? turns : [...turns, ...round];
}

/** Blocks as the API reads them: a string is one block of text. */
function asBlocks(turns: unknown): unknown {
  return Array.isArray(turns)
    ? turns.map(({ role, content }) => ({
        role,
        content: typeof content === "string" ? [{ type: "text", text: content }] : content,
      }))
    : turns;
}

const messagesBody = fc.record(
  {
    messages: conversation,
    max_tokens: fc.integer({ min: 1, max: 64_000 }),
    system: fc.array(textBlock, { minLength: 2, maxLength: 3 }),
    tools: fc.constant([
      { name: "f", description: "d", input_schema: { type: "object", properties: {} } },
    ]),
    tool_choice: fc.constantFrom(
      { type: "auto" },
      { type: "any" },
      { type: "none" },
      { type: "tool", name: "f" },
      { type: "auto", disable_parallel_tool_use: true },
    ),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }),
    top_k: fc.integer({ min: 1, max: 9 }),
    stop_sequences: fc.constant(["END"]),
    stream: fc.boolean(),
    metadata: fc.constant({ user_id: "u" }),
    service_tier: fc.constant("auto"),
    output_config: fc.constant({
      format: {
        type: "json_schema",
        schema: { type: "object", properties: {}, additionalProperties: false },
      },
    }),
  },
  { requiredKeys: ["messages", "max_tokens", "tools"] },
);

test("Messages to chat and back is the same but for what is named lossy", () => {
  fc.assert(
    fc.property(messagesBody, (body) => {
      const there = messagesToChat(body);
      const {
        body: back,
        refused,
        warnings,
      } = chatToMessages(there.body, { model: "claude-haiku-4-5" });

      const kept = Object.entries(body).filter(([name]) => !there.lossy.includes(name));
      const wanted: Record<string, unknown> = Object.fromEntries(kept);
      wanted["model"] = "claude-haiku-4-5";
      expect<Record<string, unknown>>({ ...back, messages: asBlocks(back["messages"]) }).toEqual(
        wanted,
      );
      expect([...there.refused, ...refused, ...warnings]).toEqual([]);
      expect(there.lossy).toEqual("top_k" in body ? ["top_k"] : []);
    }),
  );
});

const chatPart = fc.oneof(
  textBlock,
  base64.map((data) => ({
    type: "image_url",
    image_url: { url: `data:image/png;base64,${data}` },
  })),
  base64.map((data) => ({
    type: "file",
    file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${data}` },
  })),
);
const details = fc.array(
  fc.record({
    type: fc.constant("reasoning.text"),
    text,
    signature: base64.filter((value) => value !== ""),
    format: fc.constant("anthropic-claude-v1"),
  }),
  { maxLength: 2 },
);

const chatExchange = fc.record({
  asked: fc.oneof(text, fc.array(chatPart, { minLength: 2, maxLength: 3 })),
  said: text,
  inputs: fc.array(json, { maxLength: 2 }),
  thought: details,
});

const chatConversation = fc
  .array(chatExchange, { minLength: 1, maxLength: 3 })
  .map((exchanges) =>
    INSTRUCTIONS.concat(exchanges.flatMap(chatTurnsOf), { role: "user", content: "q" }),
  );

const INSTRUCTIONS: readonly unknown[] = [{ role: "system", content: "s" }];

function chatTurnsOf(
  { asked, said, inputs, thought }: Valued<typeof chatExchange>,
  at: number,
): readonly unknown[] {
  const tool_calls = inputs.map((input, index) => ({
    id: `t${at}_${index}`,
    type: "function",
    function: { name: "f", arguments: JSON.stringify(input) },
  }));
  const reasoning = thought.length > 0 && {
    reasoning_content: thought.map((detail) => detail.text).join(""),
    reasoning_details: thought.map((detail, index) => Object.assign({}, detail, { index })),
  };
  const question = { role: "user", content: asked };
  const answer = { role: "assistant", content: said, ...reasoning };
  if (tool_calls.length === 0) return [question, answer];
  const results = tool_calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "done" }));
  return [question, { ...answer, tool_calls }, ...results, { role: "assistant", content: said }];
}

const chatBody = fc.record(
  {
    messages: chatConversation,
    model: fc.constant("claude-sonnet-4-6"),
    max_tokens: fc.integer({ min: 1, max: 64_000 }),
    tools: fc.constant([
      {
        type: "function",
        function: { name: "f", description: "d", parameters: { type: "object", properties: {} } },
      },
    ]),
    tool_choice: fc.constantFrom("auto", "none"),
    parallel_tool_calls: fc.constant(false),
    reasoning_effort: fc.constantFrom("none", "low", "medium", "high", "max"),
    stop: fc.constant(["END"]),
    stream: fc.boolean(),
    user: fc.constant("u"),
    seed: fc.integer(),
    verbosity: fc.constant("low"),
  },
  { requiredKeys: ["messages", "model", "max_tokens", "tools"] },
);

test("chat to Messages and back is the same but for what is named lossy", () => {
  fc.assert(
    fc.property(chatBody, (body) => {
      const there = chatToMessages(body, { model: body.model });
      const back = messagesToChat(there.body);

      const kept = Object.entries(body).filter(([name]) => !there.lossy.includes(name));
      const { tool_choice, parallel_tool_calls } = body;
      // Without a choice of its own a call at a time is asked for as a choice, except where none may be.
      const implied = parallel_tool_calls === false &&
        tool_choice === undefined && { tool_choice: "auto" };
      const { parallel_tool_calls: _, ...rest } = Object.fromEntries(kept);
      expect(back.body).toEqual({
        ...rest,
        ...implied,
        ...(parallel_tool_calls === false && tool_choice !== "none" && { parallel_tool_calls }),
      });
      expect([...there.refused, ...back.refused, ...back.lossy]).toEqual([]);
      expect(there.lossy.filter((name) => name !== "seed" && name !== "verbosity")).toEqual([]);
    }),
  );
});
