import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { aggregateMessages } from "../../src/protocol/anthropic/aggregate.ts";
import { aggregateStream } from "../../src/protocol/openai/aggregate.ts";
import { arrayOf, type JsonObject, objectOf, parseJson } from "../../src/protocol/openai/fields.ts";
import { finalResponse } from "../../src/protocol/responses/final-response.ts";
import { createFramer, type Frame } from "../../src/protocol/sse/framer.ts";
import { FORMATS } from "../../src/protocol/translate/formats.ts";
import {
  type AnswerReader,
  readDecoded,
  readSame,
  writeEncoded,
} from "../../src/protocol/translate/stream-reader.ts";
import type { AnswerIdentity } from "../../src/protocol/translate/talk-format.ts";
import type { TalkDialect } from "../../src/protocol/translate/translation.ts";

const DIALECTS: readonly TalkDialect[] = ["chat", "messages", "responses"];
const PAIRS = DIALECTS.flatMap((from) =>
  DIALECTS.filter((to) => to !== from).map((to) => ({ from, to })),
);

const ABOUT: AnswerIdentity = {
  seed: "s-1",
  model: "asked",
  created_at: 1_764_460_800_000,
  newId: () => "call_new",
  onLoss: () => undefined,
  request: { model: "asked" },
  tools: new Map(),
};
const OPTIONS = {
  dialect: "chat",
  drop_usage: false,
  newId: () => "call_new",
  onEdit: () => undefined,
} as const;

function framesOf(text: string): Frame[] {
  const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });
  return [...framer.push(new TextEncoder().encode(text)).frames];
}

/** A recorded stream, kept as one payload a line. */
async function recorded(dialect: TalkDialect, name: string): Promise<string> {
  const path = join(import.meta.dir, "../fixtures", dialect, `${name}.chunks.txt`);
  const lines = (await Bun.file(path).text()).trim().split("\n");
  const named = (line: string) => (dialect === "chat" ? "" : `event: ${JSON.parse(line).type}\n`);
  const frames = lines.map((line) => `${named(line)}data: ${line}\n\n`).join("");
  return dialect === "chat" ? `${frames}data: [DONE]\n\n` : frames;
}

function readerOf(from: TalkDialect): AnswerReader {
  if (from === "chat") return readSame(OPTIONS);
  return readDecoded(FORMATS[from].createDecoder(ABOUT), OPTIONS);
}

/** A stream as a client of another dialect gets it. */
function translated(text: string, from: TalkDialect, to: TalkDialect): string {
  const read = readerOf(from);
  const reader = to === "chat" ? read : writeEncoded(read, FORMATS[to].createEncoder(ABOUT));
  const steps = framesOf(text).map((frame) => reader.read(frame));
  const isEnded = steps.some(({ is_done }) => is_done);
  const pieces = steps.map(({ out }) => out);
  const all = isEnded ? pieces : [...pieces, reader.close()];
  return all.map((out) => new TextDecoder().decode(out)).join("");
}

/** The whole answer that a stream comes to, in its own dialect. */
function wholeOf(text: string, dialect: TalkDialect): JsonObject {
  const frames = framesOf(text);
  if (dialect === "responses") return finalResponse(frames) ?? {};
  const joined =
    dialect === "messages" ? aggregateMessages(frames) : aggregateStream(frames, OPTIONS);
  if (joined.kind !== "answer") throw new Error(joined.kind);
  return joined.body;
}

function asCompletion(body: JsonObject, dialect: TalkDialect): JsonObject {
  return dialect === "chat" ? body : FORMATS[dialect].answerToChat(body, ABOUT);
}

/** A whole message holds what is no object, such as arguments that were cut, in one. */
function unwrapped(given: unknown): unknown {
  return objectOf(parseJson(String(given)))["_raw"] ?? given;
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** What a whole chat answer says. */
function saidBy(completion: JsonObject) {
  const choice = objectOf(arrayOf(completion["choices"])[0]);
  const message = objectOf(choice["message"]);
  const usage = objectOf(completion["usage"]);
  const calls = arrayOf(message["tool_calls"]).map((call) => {
    const { name, arguments: given } = objectOf(objectOf(call)["function"]);
    return { name, given: unwrapped(given) };
  });
  return {
    text: textOf(message["content"]),
    reasoning: message["reasoning_content"] ?? "",
    refusal: textOf(message["refusal"]),
    calls,
    finish: choice["finish_reason"],
    output_tokens: usage["completion_tokens"],
  };
}

const CASES = ["text", "thinking", "parallel-tools", "max-tokens", "refusal"];
const rows = PAIRS.flatMap(({ from, to }) => CASES.map((name) => ({ from, to, name })));

/** Messages has no refusal beside the text, and tells of one in its stop reason. */
function within(said: ReturnType<typeof saidBy>, to: TalkDialect) {
  if (to !== "messages" || said.refusal === "") return said;
  return { ...said, text: said.text + said.refusal };
}

describe.each(rows)("$from to $to: $name", ({ from, to, name }) => {
  test("a stream says the same", async () => {
    const text = await recorded(from, name);
    const before = saidBy(asCompletion(wholeOf(text, from), from));

    const after = wholeOf(translated(text, from, to), to);

    expect(saidBy(asCompletion(after, to))).toEqual(within(before, to));
  });

  test("a whole answer says what its stream says", async () => {
    const text = await recorded(from, name);
    const completion = asCompletion(wholeOf(text, from), from);

    const whole = to === "chat" ? completion : FORMATS[to].answerFromChat(completion, ABOUT);

    const streamed = wholeOf(translated(text, from, to), to);
    expect(saidBy(asCompletion(whole, to))).toEqual(saidBy(asCompletion(streamed, to)));
  });
});

const SCHEMA = { type: "object", properties: { city: { type: "string" } } };
const INPUT = JSON.stringify({ city: "Paris" });
/** One conversation as each dialect has it. */
const CONVERSATIONS: Readonly<Record<TalkDialect, JsonObject>> = {
  chat: {
    model: "m",
    max_tokens: 2048,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        content: "Looking.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "get_weather", arguments: INPUT } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "Sunny." },
      { role: "user", content: "Thanks." },
    ],
    tools: [{ type: "function", function: { name: "get_weather", parameters: SCHEMA } }],
    tool_choice: "auto",
  },
  messages: {
    model: "m",
    max_tokens: 2048,
    system: "Be brief.",
    messages: [
      { role: "user", content: "Weather?" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "Looking." },
          { type: "tool_use", id: "c1", name: "get_weather", input: { city: "Paris" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "Sunny." },
          { type: "text", text: "Thanks." },
        ],
      },
    ],
    tools: [{ name: "get_weather", input_schema: SCHEMA }],
    tool_choice: { type: "auto" },
  },
  responses: {
    model: "m",
    max_output_tokens: 2048,
    instructions: "Be brief.",
    input: [
      { role: "user", content: "Weather?" },
      { role: "assistant", content: "Looking." },
      { type: "function_call", call_id: "c1", name: "get_weather", arguments: INPUT },
      { type: "function_call_output", call_id: "c1", output: "Sunny." },
      { role: "user", content: "Thanks." },
    ],
    tools: [{ type: "function", name: "get_weather", parameters: SCHEMA }],
    tool_choice: "auto",
  },
};

const chatOf = (dialect: TalkDialect, body: JsonObject): JsonObject =>
  dialect === "chat" ? body : FORMATS[dialect].requestToChat(body).body;

test.each(PAIRS)("$from to $to: a conversation with a tool asks the same", ({ from, to }) => {
  const chat = chatOf(from, CONVERSATIONS[from]);
  const told =
    to === "chat"
      ? { body: chat, refused: [] }
      : FORMATS[to].requestFromChat(chat, { model: "claude-haiku-4-5" });

  const back = chatOf(to, told.body);

  expect(told.refused).toEqual([]);
  expect(back["messages"]).toEqual(CONVERSATIONS.chat["messages"]);
  expect(back).toMatchObject({ max_tokens: 2048, tool_choice: "auto" });
  expect(back["tools"]).toMatchObject(arrayOf(CONVERSATIONS.chat["tools"]).map(objectOf));
});
