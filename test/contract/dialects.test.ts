import { expect, test } from "bun:test";

import { aggregateStream } from "../../src/protocol/openai/aggregate.ts";
import { expandAnswer } from "../../src/protocol/openai/expand.ts";
import { createStreamReader } from "../../src/protocol/openai/stream.ts";
import { createFramer, type Frame } from "../../src/protocol/sse/framer.ts";

type Dialect = "chat" | "completions";

/** How each dialect of streams says the same things. */
const DIALECTS: Readonly<
  Record<Dialect, { says: (text: string) => object; told: (choice: unknown) => unknown }>
> = {
  chat: {
    says: (content) => ({ delta: { content } }),
    told: (choice) => member(member(choice, "message"), "content"),
  },
  completions: {
    says: (text) => ({ text }),
    told: (choice) => member(choice, "text"),
  },
};

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

const DONE = "data: [DONE]\n\n";
const frame = (dialect: Dialect, text: string, finish_reason: string | null = null, index = 0) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index, ...DIALECTS[dialect].says(text), finish_reason }] })}\n\n`;

function framesOf(text: string): Frame[] {
  const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });
  const { frames } = framer.push(new TextEncoder().encode(text));
  const last = framer.end();
  return last ? [...frames, last] : [...frames];
}

const newId = () => "id";

function read(dialect: Dialect, text: string) {
  const reader = createStreamReader({ dialect, drop_usage: true, newId, onEdit: () => undefined });
  const steps = framesOf(text).map((each) => reader.read(each));
  return {
    out: steps.map(({ out }) => new TextDecoder().decode(out)).join(""),
    contentAt: steps.findIndex(({ is_content }) => is_content),
    isDone: steps.some(({ is_done }) => is_done),
    errors: steps.flatMap(({ error }) => error ?? []),
    facts: reader.facts(),
  };
}

const dialects = (["chat", "completions"] as const).map((dialect) => ({ dialect }));

test.each(dialects)(
  "$dialect: a stream passes as it is, its content and its end are seen",
  ({ dialect }) => {
    const stream = frame(dialect, "") + frame(dialect, "a") + frame(dialect, "", "stop") + DONE;

    expect(read(dialect, stream)).toMatchObject({
      out: stream,
      contentAt: 1,
      isDone: true,
      errors: [],
      facts: { content: { text: true }, finish: new Map([[0, "stop"]]), is_finished: true },
    });
  },
);

test.each(dialects)("$dialect: white space is not content", ({ dialect }) => {
  expect(read(dialect, frame(dialect, " \n\u200B")).contentAt).toBe(-1);
});

test.each(dialects)(
  "$dialect: a vendor's finish reason is told in the dialect's words",
  ({ dialect }) => {
    expect(read(dialect, frame(dialect, "a", "MAX_TOKENS")).out).toBe(
      frame(dialect, "a", "length"),
    );
  },
);

test.each(dialects)("$dialect: a usage-only chunk goes and is read", ({ dialect }) => {
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n';

  expect(read(dialect, frame(dialect, "a") + usage)).toMatchObject({
    out: frame(dialect, "a"),
    facts: { usage: { input_tokens: 1, output_tokens: 2 } },
  });
});

test.each(dialects)("$dialect: an error frame is an error", ({ dialect }) => {
  const error = '{"error":{"message":"m"}}';

  expect(read(dialect, `${frame(dialect, "a")}data: ${error}\n\n`)).toMatchObject({
    out: frame(dialect, "a"),
    errors: [error],
  });
});

test.each(dialects)(
  "$dialect: a missing finish is supplied before `[DONE]` in the dialect's shape",
  ({ dialect }) => {
    const { out } = read(dialect, frame(dialect, "a") + DONE);

    const finish = framesOf(out)[1]?.data;
    expect(JSON.parse(finish ?? "")).toMatchObject({
      id: "c",
      choices: [
        { index: 0, finish_reason: "stop", ...(dialect === "completions" && { text: "" }) },
      ],
    });
    expect(read(dialect, out)).toMatchObject({ out, facts: { is_finished: true } });
  },
);

test.each(dialects)(
  "$dialect: a stream becomes JSON, and that JSON the same text again",
  ({ dialect }) => {
    const stream =
      frame(dialect, "a", null, 1) +
      frame(dialect, "b") +
      frame(dialect, "c", "stop") +
      frame(dialect, "d", "length", 1) +
      DONE;
    const options = { dialect, newId, onEdit: () => undefined };

    const whole = aggregateStream(framesOf(stream), options);
    if (whole.kind !== "answer") throw new Error(whole.kind);
    const again = aggregateStream(
      framesOf(expandAnswer(whole.body, { dialect, include_usage: true, newId })),
      options,
    );

    const choices = member(whole.body, "choices");
    expect(Array.isArray(choices) && choices.map(DIALECTS[dialect].told)).toEqual(["bc", "ad"]);
    expect(again).toEqual(whole);
  },
);
