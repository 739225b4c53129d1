import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { chatForm } from "../support/clients/chat-form.ts";
import type { Form, Said } from "../support/clients/form.ts";
import { messagesForm } from "../support/clients/messages-form.ts";
import { responsesForm } from "../support/clients/responses-form.ts";
import {
  ASKS,
  type DialectRig,
  openDialectRig,
  PATHS,
  type TalkDialect,
  type Vendor,
} from "../support/dialect-rig.ts";
import { readTalk } from "../support/read-talk.ts";

const DIALECTS: readonly TalkDialect[] = ["chat", "messages", "responses"];

interface Target {
  readonly vendor: Vendor;
  readonly model: string;
  /** The dialect in which it is spoken to, by that of the client. */
  readonly wires: Readonly<Record<TalkDialect, TalkDialect>>;
}

const TARGETS: readonly Target[] = [
  {
    vendor: "plain",
    model: "m",
    wires: { chat: "chat", messages: "chat", responses: "chat" },
  },
  {
    vendor: "anthropic",
    model: "claude-sonnet-4-6",
    wires: { chat: "messages", messages: "messages", responses: "messages" },
  },
  {
    vendor: "openai",
    model: "gpt",
    wires: { chat: "chat", messages: "chat", responses: "responses" },
  },
];

const FORMS: Readonly<Record<TalkDialect, Form>> = {
  chat: chatForm,
  messages: messagesForm,
  responses: responsesForm,
};

let rig: DialectRig;
beforeAll(async () => {
  rig = await openDialectRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const PAIRS = TARGETS.flatMap(({ vendor, model, wires }) =>
  DIALECTS.flatMap((dialect) =>
    [false, true].map((stream) => ({ vendor, model, dialect, stream, wire: wires[dialect] })),
  ),
);

type Pair = (typeof PAIRS)[number];

/** Has the vendor say something in the dialect it is spoken to in; returns what the client reads. */
async function hear(
  { vendor, model, dialect, stream, wire }: Pair,
  said: Said,
  ask = ASKS[dialect],
) {
  const form = FORMS[wire];
  rig.scripts[vendor] = (line) => {
    if (!stream) return line.json(form.whole(said));
    line.sse();
    line.write(form.frames(said) + form.ending(said));
    line.end();
  };
  const before = rig.sent(vendor).length;
  const response = await rig.router.post(PATHS[dialect], {
    model: `${vendor}:${model}`,
    stream,
    ...ask,
  });
  const text = await response.text();
  const [sent] = rig.sent(vendor).slice(before);
  return { response, sent, said: readTalk(dialect, text, stream) };
}

const TEXT = "Forty-two, naïve — ✓";
const SAID: Said = { text: TEXT, thought: null, calls: [] };
const OSLO = { id: "call_1", name: "weather", input: { city: "Oslo" } };
const ROME = { id: "call_2", name: "weather", input: { city: "Rome" } };

describe.each<Pair>(PAIRS)(
  "a client of $dialect before $vendor, which is spoken to in $wire, stream: $stream",
  (pair) => {
    test("reads what was said, and how much it took", async () => {
      const { response, sent, said } = await hear(pair, SAID);

      expect(response.status).toBe(200);
      expect(sent?.path).toBe(PATHS[pair.wire]);
      expect(said).toEqual({
        text: TEXT,
        reasoning: "",
        calls: [],
        finish: "stop",
        // A client of chat is told of a stream's usage only where it asks.
        usage: pair.dialect === "chat" && pair.stream ? null : { input: 11, output: 7 },
      });
    });

    test("reads what was thought before", async () => {
      const { said } = await hear(pair, { ...SAID, thought: "Six times seven." });

      expect(said).toMatchObject({ text: TEXT, reasoning: "Six times seven." });
    });

    test("reads two calls of tools, whole", async () => {
      const { said } = await hear(pair, { text: null, thought: null, calls: [OSLO, ROME] });

      expect(said).toMatchObject({ text: "", calls: [OSLO, ROME], finish: "tools" });
    });

    test("is read by the router like any other: verdict, usage, first token", async () => {
      const { response } = await hear(pair, SAID);

      expect(await rig.decision(response)).toMatchObject({
        dialect: pair.dialect,
        outcome: "ok",
        served: `${pair.vendor}:${pair.model}`,
        usage: { input_tokens: 11, output_tokens: 7 },
        attempts: [{ kind: "ok", verification: { verdict: "ok", signature: null } }],
      });
    });
  },
);

test.each(PAIRS.filter(({ stream }) => stream))(
  "an answer of the other shape is converted: $vendor in $wire for a client of $dialect",
  async ({ vendor, model, dialect, wire }) => {
    const form = FORMS[wire];
    const heard: unknown[] = [];
    for (const stream of [true, false]) {
      rig.scripts[vendor] = (line) => {
        if (stream) return line.json(form.whole(SAID));
        line.sse();
        line.write(form.frames(SAID) + form.ending(SAID));
        line.end();
      };
      const body = { model: `${vendor}:${model}`, stream, ...ASKS[dialect] };
      const response = await rig.router.post(PATHS[dialect], body);
      heard.push(readTalk(dialect, await response.text(), stream));
    }

    expect(heard).toEqual([
      expect.objectContaining({ text: TEXT, finish: "stop" }),
      expect.objectContaining({ text: TEXT, finish: "stop" }),
    ]);
  },
);

test.each(TARGETS)("a chat client that asks for usage gets it from $vendor", async (target) => {
  const ask = { ...ASKS.chat, stream_options: { include_usage: true } };
  const { vendor, model, wires } = target;
  const pair = { vendor, model, dialect: "chat", stream: true, wire: wires.chat } as const;

  const { said } = await hear(pair, SAID, ask);

  expect(said.usage).toEqual({ input: 11, output: 7 });
});

test.each([false, true])(
  "a call of a custom tool comes back as one from a target that knows functions only, stream: %p",
  async (stream) => {
    const custom = { name: "patch", description: "Applies a patch", format: { type: "text" } };
    const ask = { ...ASKS.chat, tools: [{ type: "custom", custom }] };
    const pair = { ...CLAUDE, dialect: "chat", stream, wire: "messages" } as const;
    const call = { id: "toolu_1", name: "patch", input: { input: "*** Begin Patch" } };

    const { said, response } = await hear(pair, { text: null, thought: null, calls: [call] }, ask);

    // The text itself is what the tool takes, not an object around it.
    expect(said.calls).toEqual([{ ...call, input: call.input.input }]);
    expect(said.finish).toBe("tools");
    expect(response.headers.get("x-veriroute-warnings")).toBe("tools.custom");
  },
);

const CLAUDE = { vendor: "anthropic", model: "claude-sonnet-4-6" } as const;
