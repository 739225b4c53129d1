import { expect, test } from "bun:test";

import type { JsonObject } from "../../../src/protocol/openai/fields.ts";
import { FORMATS } from "../../../src/protocol/translate/formats.ts";

/** What fits into a body of a few megabytes. At a cost that grows with its square a test times out. */
const MANY = 100_000;

const many = (make: (index: number) => JsonObject): JsonObject[] =>
  Array.from({ length: MANY }, (_, index) => make(index));
const user = { role: "user", content: "a" };

const call = (id: string) => ({ id, type: "function", function: { name: "f", arguments: "{}" } });
const use = (id: string) => ({ type: "tool_use", id, name: "f", input: {} });
const item = (call_id: string) => ({ type: "function_call", call_id, name: "f", arguments: "{}" });
const output = (call_id: string) => ({ type: "function_call_output", call_id, output: "x" });
const fromLast = (index: number) => `c${MANY - 1 - index}`;

const toChat: Readonly<Record<string, ["messages" | "responses", JsonObject]>> = {
  "turns of one role": ["messages", { messages: many(() => user) }],
  "turns of changing roles": [
    "messages",
    { messages: many((at) => ({ role: at % 2 === 0 ? "user" : "assistant", content: "a" })) },
  ],
  "calls answered from the last on": [
    "messages",
    {
      messages: [
        user,
        { role: "assistant", content: many((at) => use(`c${at}`)) },
        {
          role: "user",
          content: many((at) => ({ type: "tool_result", tool_use_id: fromLast(at), content: "x" })),
        },
      ],
    },
  ],
  "items of calls, answered from the last on": [
    "responses",
    { input: [user, ...many((at) => item(`c${at}`)), ...many((at) => output(fromLast(at)))] },
  ],
  "items of calls of one id": [
    "responses",
    { input: [user, ...many(() => item("c")), ...many(() => output("c"))] },
  ],
  "items of an assistant": [
    "responses",
    { input: many(() => ({ role: "assistant", content: "a" })) },
  ],
  "items of reasoning": [
    "responses",
    { input: many((at) => ({ type: "reasoning", summary: [], encrypted_content: `s${at}` })) },
  ],
  "tools whose names are cut to the same": [
    "responses",
    {
      input: "a",
      tools: [
        {
          type: "namespace",
          name: "n".repeat(80),
          tools: many((at) => ({ type: "function", name: `f${at}` })),
        },
      ],
    },
  ],
};

test.each(Object.entries(toChat))("%s cost no more than their number", (_, [dialect, body]) => {
  const { body: chat } = FORMATS[dialect].requestToChat(body);

  expect(Array.isArray(chat["messages"])).toBe(true);
});

const fromChat: Readonly<Record<string, JsonObject>> = {
  "messages of one role": { messages: many(() => user) },
  "messages of the system in between": {
    messages: [user, ...many(() => ({ role: "system", content: "a" }))],
  },
  "calls answered from the last on": {
    messages: [
      user,
      { role: "assistant", tool_calls: many((at) => call(`c${at}`)) },
      ...many((at) => ({ role: "tool", tool_call_id: fromLast(at), content: "x" })),
    ],
  },
  "calls of one id": {
    messages: [user, { role: "assistant", tool_calls: many(() => call("c")) }, user],
  },
  tools: { messages: [user], tools: many((at) => ({ function: { name: `f${at}` } })) },
};

test.each(
  (["messages", "responses"] as const).flatMap((dialect) =>
    Object.entries(fromChat).map(([name, body]) => ({ dialect, name, body })),
  ),
)("$dialect: $name cost no more than their number", ({ dialect, body }) => {
  const told = FORMATS[dialect].requestFromChat(body, { model: "claude-sonnet-4-5" });

  expect(told.refused).toEqual([]);
});

test("a turn of more parts than a call takes arguments is told", () => {
  const content = Array.from({ length: 2_000_000 }, () => "a");

  const told = FORMATS.messages.requestFromChat(
    { messages: [{ role: "user", content }] },
    { model: "claude-sonnet-4-5" },
  );

  expect(told.refused).toEqual([]);
});
