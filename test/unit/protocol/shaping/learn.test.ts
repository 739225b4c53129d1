import { expect, test } from "bun:test";

import { chatQuirks } from "../../../../src/catalog/chat-quirks/find-chat-quirks.ts";
import type { JsonObject } from "../../../../src/protocol/openai/fields.ts";
import { learnFrom } from "../../../../src/protocol/shaping/learn.ts";
import type { ChatLesson } from "../../../../src/protocol/shaping/lesson.ts";
import { sentTo, shaped } from "./shaped.ts";

const quirks = chatQuirks({ id: "openai-compatible", name: "Mine" }, "m");

interface Learned {
  readonly message: string;
  readonly sent: JsonObject;
  readonly pinned?: boolean;
  readonly known?: ChatLesson;
}

const learned = ({ message, sent, pinned = false, known }: Learned) =>
  learnFrom({ refusal: { status: 400, message, param: null }, sent, quirks, known, pinned });

test("what one call learned the next one does, and several at once learn it each", () => {
  const told = { message: "Unsupported parameter: 'top_k'", sent: { top_k: 1, top_p: 0.5 } };
  const first = learned(told);
  if (first === null) throw new Error("nothing was learned");

  expect(sentTo({ type: "openai-compatible", lesson: first }, told.sent)).toEqual({ top_p: 0.5 });
  expect(learned({ ...told, known: first })).toEqual(first);
});

test.each([
  { message: "Unsupported parameter: 'top_k'", sent: { top_k: 1 }, next: null },
  {
    message: "tool_choice 'required' is not supported",
    sent: { tool_choice: "required" },
    next: null,
  },
  { message: "Unsupported parameter: 'user'", sent: { user: "u" }, next: {} },
  {
    message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.",
    sent: { max_tokens: 9 },
    next: { max_completion_tokens: 9 },
  },
  {
    message: "reasoning_effort must be one of 'low', 'high'",
    sent: { reasoning_effort: "max" },
    next: { reasoning_effort: "high" },
  },
])("$message: a client that named the target is sent on as $next", ({ message, sent, next }) => {
  const lesson = learned({ message, sent, pinned: true });

  expect(lesson && sentTo({ type: "openai-compatible", pinned: true, lesson }, sent)).toEqual(next);
});

test("what others taught is no reason to refuse a client that named the target", () => {
  const lesson = learned({ message: "Unsupported parameter: 'top_k'", sent: { top_k: 1 } });
  if (lesson === null) throw new Error("nothing was learned");
  const got = shaped('{"top_k":1}', { type: "openai-compatible", pinned: true, lesson });

  expect(got).toMatchObject({ text: '{"top_k":1}', refused: [], lossy: [] });
});

test("a lesson that would change nothing is none", () => {
  const tellsNothing = learned({
    message: "reasoning_effort 'low' is not supported; supported values are: 'high'",
    sent: { reasoning_effort: "ultracode" },
  });

  expect(tellsNothing).toBeNull();
});
