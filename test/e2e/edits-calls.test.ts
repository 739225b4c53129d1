import { afterAll, beforeAll, expect, test } from "bun:test";

import OpenAI from "openai";

import { chunk } from "../support/scripted-upstream.ts";
import {
  answers,
  CHAT,
  CHAT_STREAM,
  openWireRig,
  streams,
  type WireRig,
} from "../support/wire-rig.ts";

let rig: WireRig;
beforeAll(async () => {
  rig = await openWireRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const DONE = "data: [DONE]\n\n";
const calls = (...tool_calls: readonly object[]) => chunk({ tool_calls });

/** Frames in which a vendor tells of calls its own way, and the calls that they mean. */
const HABITS = [
  {
    name: "deltas without index, whose continuation has an empty id and type",
    frames: [
      calls({ id: "c1", type: "function", function: { name: "save", arguments: '{"k":' } }),
      calls({ id: "", type: "", function: { arguments: "1}" } }),
    ],
    meant: [{ name: "save", arguments: '{"k":1}' }],
  },
  {
    name: "parallel calls with neither id nor an index of their own",
    frames: [
      calls({ index: 0, function: { name: "a", arguments: '{"u":1}' } }),
      calls({ index: 0, function: { name: "b", arguments: '{"u":2}' } }),
    ],
    meant: [
      { name: "a", arguments: '{"u":1}' },
      { name: "b", arguments: '{"u":2}' },
    ],
  },
  {
    name: "parallel calls in fragments that share index 0, each with its id",
    frames: [
      calls({ index: 0, id: "x", type: "function", function: { name: "a", arguments: "" } }),
      calls({ index: 0, function: { arguments: "{}" } }),
      calls({ index: 0, id: "y", type: "function", function: { name: "a", arguments: "" } }),
      calls({ index: 0, function: { arguments: '{"n":2}' } }),
    ],
    meant: [
      { name: "a", arguments: "{}" },
      { name: "a", arguments: '{"n":2}' },
    ],
  },
  {
    name: "an id, a type and a name repeated on each fragment",
    frames: ['{"n"', ":1", "}"].map((text) =>
      calls({ index: 0, id: "x", type: "function", function: { name: "a", arguments: text } }),
    ),
    meant: [{ name: "a", arguments: '{"n":1}' }],
  },
  {
    name: "an id made up for each fragment",
    frames: ['{"n"', ":1", "}"].map((text, at) =>
      calls({
        index: 0,
        id: `r${at}`,
        type: "function",
        function: { ...(at === 0 && { name: "a" }), arguments: text },
      }),
    ),
    meant: [{ name: "a", arguments: '{"n":1}' }],
  },
  {
    name: "arguments as an object, then as null",
    frames: [
      calls({ index: 0, id: "x", type: "function", function: { name: "a", arguments: { n: 1 } } }),
      calls({ index: 1, id: "y", type: "function", function: { name: "b", arguments: null } }),
    ],
    meant: [
      { name: "a", arguments: '{"n":1}' },
      { name: "b", arguments: "" },
    ],
  },
];

test.each(HABITS)(
  "a real client puts together the calls that a vendor tells by $name",
  async ({ frames, meant }) => {
    await rig.ask(
      streams([chunk({ role: "assistant", content: null }), ...frames, chunk({}, "stop"), DONE]),
      CHAT_STREAM,
    );
    const client = new OpenAI({ baseURL: `${rig.router.url}/v1`, apiKey: "unused", maxRetries: 0 });

    const [choice] = (
      await client.chat.completions
        .stream({ model: "a:m", messages: [{ role: "user", content: "hi" }] })
        .finalChatCompletion()
    ).choices;

    const made = choice?.message.tool_calls ?? [];
    expect(made.map((call) => ("function" in call ? call.function : call))).toMatchObject(meant);
    expect(new Set(made.map(({ id }) => id)).size).toBe(meant.length);
    expect(choice?.finish_reason).toBe("tool_calls");
  },
);

test("a tool call cut by the token limit keeps `length`, so that nobody runs half of it", async () => {
  const cut = calls({
    index: 0,
    id: "c",
    type: "function",
    function: { name: "f", arguments: '{"path":"/tmp/a' },
  });

  const { text } = await rig.ask(streams([cut, chunk({}, "length"), DONE]), CHAT_STREAM);

  expect(text).toBe(cut + chunk({}, "length") + DONE);
});

test("a call without parameters passes as it is, stream or not", async () => {
  const call = { id: "c1", type: "function", function: { name: "health", arguments: "" } };
  const whole = JSON.stringify({
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: null, tool_calls: [call] },
        finish_reason: "tool_calls",
      },
    ],
  });
  const stream = [calls({ index: 0, ...call }), chunk({}, "tool_calls"), DONE];

  expect((await rig.ask(answers(whole), CHAT)).text).toStartWith(whole.slice(0, -1));
  expect((await rig.ask(streams(stream), CHAT_STREAM)).text).toBe(stream.join(""));
});

test("a last chunk with text, finish reason and usage at once loses none of them", async () => {
  const last = `data: ${JSON.stringify({
    choices: [{ index: 0, delta: { content: "last" }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })}\n\n`;

  const { text, response } = await rig.ask(streams([last, DONE]), CHAT_STREAM);

  expect(text).toBe(last + DONE);
  const id = response.headers.get("x-veriroute-decision") ?? "";
  expect(await rig.router.admin(`/admin/v1/decisions/${id}`)).toMatchObject({
    outcome: "ok",
    usage: { input_tokens: 1, output_tokens: 1 },
  });
});

test("an empty finish reason on every chunk ends nothing", async () => {
  const pieces = [
    chunk({ content: "a" }, ""),
    chunk({ content: "b" }, ""),
    chunk({}, "stop"),
    DONE,
  ];

  const { text } = await rig.ask(streams(pieces), CHAT_STREAM);

  expect(text).toBe(
    [chunk({ content: "a" }), chunk({ content: "b" }), chunk({}, "stop"), DONE].join(""),
  );
});

test("a stream that ends with an empty finish reason only was cut", async () => {
  const { text } = await rig.ask(streams([chunk({ content: "a" }, "")]), CHAT_STREAM);

  expect(text).toStartWith(`${chunk({ content: "a" })}data: {"error":`);
});

test("a window that was full after some text reads `length`", async () => {
  const { text } = await rig.ask(
    streams([chunk({ content: "a" }), chunk({}, "model_context_window_exceeded"), DONE]),
    CHAT_STREAM,
  );

  expect(text).toBe(chunk({ content: "a" }) + chunk({}, "length") + DONE);
});
