import { afterAll, beforeAll, expect, test } from "bun:test";

import { chunk, streamOf } from "../support/scripted-upstream.ts";
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
const hi = chunk({ content: "hi" });
const stop = chunk({}, "stop");
const USAGE = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const usageOnly = `data: ${JSON.stringify({ id: "chatcmpl-1", choices: [], usage: USAGE })}\n\n`;

/** What a client gets of a stream, and the edits that took, those of its request apart. */
async function streamed(pieces: readonly (string | Uint8Array)[], more: object = {}) {
  const { text, response } = await rig.ask(streams(pieces), { ...CHAT_STREAM, ...more });
  const edits = await rig.edits(response);
  return {
    text,
    edits: Array.isArray(edits) ? edits.filter((edit) => edit !== "stream_options") : edits,
  };
}

const bom = Uint8Array.of(0xef, 0xbb, 0xbf);

test.each([
  { name: "whole", pieces: [bom, streamOf("hi")] },
  {
    name: "cut after its first byte",
    pieces: [bom.subarray(0, 1), bom.subarray(1), streamOf("hi")],
  },
  {
    name: "in three pieces",
    pieces: [bom.subarray(0, 1), bom.subarray(1, 2), bom.subarray(2), streamOf("hi")],
  },
])("(a) a leading BOM goes: $name", async ({ pieces }) => {
  expect((await streamed(pieces)).text).toBe(streamOf("hi"));
});

test("(a) a later U+FEFF stays", async () => {
  const stream = streamOf("\uFEFFa", "b\uFEFF");

  expect((await streamed([bom, stream])).text).toBe(stream);
});

test.each([
  { name: "no line break", end: "" },
  { name: "one line break", end: "\n" },
  { name: "one CRLF", end: "\r\n" },
])("(b) a last frame with $name gets its blank line", async ({ end }) => {
  const { text } = await streamed([hi, stop.trimEnd() + end]);

  expect(text.replaceAll("\r\n", "\n")).toBe(hi + stop);
});

test("(b) an end marker without blank line gets one", async () => {
  expect((await streamed([hi, stop, "data: [DONE]"])).text).toBe(hi + stop + DONE);
});

test("(b) a last frame that is cut inside its payload goes, and the stream has not ended well", async () => {
  const { text } = await streamed([hi, hi.slice(0, 40)]);

  expect(text).toStartWith(`${hi}data: {"error":`);
  expect(text).toEndWith(DONE);
});

test("(c) a usage-only chunk that the client did not ask for goes", async () => {
  expect(await streamed([hi, stop, usageOnly, DONE])).toEqual({
    text: hi + stop + DONE,
    edits: ["usage_chunk"],
  });
});

test("(c) a usage-only chunk that the client asked for stays", async () => {
  const more = { stream_options: { include_usage: true } };

  expect(await streamed([hi, stop, usageOnly, DONE], more)).toEqual({
    text: hi + stop + usageOnly + DONE,
    edits: [],
  });
});

test("(d) everything after `[DONE]` goes, and the upstream is closed though it stays open", async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();

  const { text, response } = await rig.ask((wire, request) => {
    wire.sse();
    wire.write(`${hi}${stop}${DONE}${hi}: more\n\n`);
    void request.closed.then(resolve);
  }, CHAT_STREAM);

  expect(text).toBe(hi + stop + DONE);
  await closed;
  const id = response.headers.get("x-veriroute-decision") ?? "";
  expect(await rig.router.admin(`/admin/v1/decisions/${id}`)).toMatchObject({
    outcome: "ok",
    attempts: [{ kind: "ok" }],
  });
});

test("(f) `[DONE]` without any finish reason after content gets one finish chunk before it", async () => {
  const { text, edits } = await streamed([hi, hi, usageOnly, DONE]);

  // The chunk that ends the choice is like the others of its stream.
  expect(text).toBe(hi + hi + stop + DONE);
  expect(edits).toEqual(["usage_chunk", "finish_chunk"]);
});

test.each([
  {
    name: "a tool call without index",
    sent: [
      { tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }] },
    ],
    got: [
      {
        tool_calls: [
          { index: 0, id: "c1", type: "function", function: { name: "f", arguments: "{}" } },
        ],
      },
    ],
    edit: "tool_call",
  },
  {
    name: "arguments that are null",
    sent: [
      {
        tool_calls: [
          { index: 0, id: "c1", type: "function", function: { name: "f", arguments: null } },
        ],
      },
    ],
    got: [
      {
        tool_calls: [
          { index: 0, id: "c1", type: "function", function: { name: "f", arguments: "" } },
        ],
      },
    ],
    edit: "tool_call",
  },
])("(g) $name is repaired, and nothing else of the stream", async ({ sent, got, edit }) => {
  const end = chunk({}, "tool_calls") + DONE;

  expect(await streamed([...sent.map((delta) => chunk(delta)), end])).toEqual({
    text: got.map((delta) => chunk(delta)).join("") + end,
    edits: [edit],
  });
});

const idOf = (text: string) => /"id":"(call_[0-9a-z]{8,})"/.exec(text)?.[1];

test("(g) a tool call without id gets one that no other answer has", async () => {
  const call = {
    tool_calls: [{ index: 0, type: "function", function: { name: "f", arguments: "{}" } }],
  };
  const pieces = [chunk(call), chunk({}, "tool_calls"), DONE];

  const [first, second] = [await streamed(pieces), await streamed(pieces)];

  expect(idOf(first.text)).toBeString();
  expect(idOf(second.text)).toBeString();
  expect(idOf(first.text)).not.toBe(idOf(second.text));
});

test.each([
  {
    name: "`stop` after a tool call",
    delta: {
      tool_calls: [
        { index: 0, id: "c", type: "function", function: { name: "f", arguments: "{}" } },
      ],
    },
    reason: "stop",
    finish: "tool_calls",
  },
  { name: "a vendor's own word", delta: { content: "hi" }, reason: "MAX_TOKENS", finish: "length" },
])(
  "(g) a finish reason wrong for the dialect is repaired: $name",
  async ({ delta, reason, finish }) => {
    expect(await streamed([chunk(delta), chunk({}, reason), DONE])).toEqual({
      text: chunk(delta) + chunk({}, finish) + DONE,
      edits: ["finish_reason"],
    });
  },
);

test("(h) comments of ours: who served it, before the first content, if headers went out early", async () => {
  await using slow = await openWireRig({ config: '[server]\nkeepalive_after = "10ms"\n' });
  const { promise: isWaiting, resolve: go } = Promise.withResolvers<void>();
  const asked = slow.ask(async (wire) => {
    await isWaiting;
    wire.sse();
    wire.write(streamOf("hi"));
    wire.end();
  }, CHAT_STREAM);
  setTimeout(go, 30);

  const { text } = await asked;

  const comments = /^(?:: keep-alive\n\n)+: veriroute (\{.*\})\n\n/.exec(text);
  expect(JSON.parse(comments?.[1] ?? "null")).toEqual({ target: "a:m", attempts: 1, pool: null });
  expect(text.slice(comments?.[0].length)).toBe(streamOf("hi"));
});

test("(h) comments of ours: the explain record before `[DONE]`, on demand", async () => {
  const { text } = await rig.ask(streams([streamOf("hi")]), CHAT_STREAM, {
    headers: { "x-veriroute-debug": "1" },
  });

  const [before, comment, after] = text.split(/(: veriroute-explain .*\n\n)/);
  expect(`${before}${after}`).toBe(streamOf("hi"));
  expect(after).toBe(DONE);
  expect(JSON.parse(comment?.slice(": veriroute-explain ".length) ?? "null")).toMatchObject({
    asked: "a:m",
    served: "a:m",
  });
});

test("a whole answer keeps a finish reason and calls as they are, for they are read by nobody's parser of fragments", async () => {
  const answer =
    '{"choices":[{"index":0,"message":{"content":null,"tool_calls":[{"id":"c","function":{"name":"f","arguments":""}}]},"finish_reason":"STOP"}]}';

  const { text, response } = await rig.ask(answers(answer), CHAT);

  expect(text).toStartWith(answer.slice(0, -1));
  expect(await rig.edits(response)).toEqual([]);
});
