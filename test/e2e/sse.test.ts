import { afterAll, beforeAll, expect, test } from "bun:test";

import OpenAI from "openai";

import { provider, startRouter } from "../support/router.ts";
import { chunk, scriptedUpstream, streamOf } from "../support/scripted-upstream.ts";
import { CHAT_STREAM, openWireRig, streams, type WireRig } from "../support/wire-rig.ts";

let rig: WireRig;
beforeAll(async () => {
  rig = await openWireRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

const bytesOf = (text: string) => new TextEncoder().encode(text);
const hi = chunk({ content: "hi" });
const stop = chunk({}, "stop");
const DONE = "data: [DONE]\n\n";

/** The bytes in pieces of a size. */
const pieces = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size),
  );

const TEXT = streamOf("한🙂é", "e\u0301", "👩‍👩‍👧");

test("UTF-8 split at every byte position reaches the client unharmed", async () => {
  const bytes = bytesOf(TEXT);

  for (let at = 1; at < bytes.length; at++) {
    const { text } = await rig.ask(
      streams([bytes.subarray(0, at), bytes.subarray(at)]),
      CHAT_STREAM,
    );

    expect(text).toBe(TEXT);
  }
}, 60_000);

test.each([1, 2, 3, 5])(
  "a stream in pieces of %d bytes reaches the client unharmed",
  async (size) => {
    const { text } = await rig.ask(streams(pieces(bytesOf(TEXT), size)), CHAT_STREAM);

    expect(text).toBe(TEXT);
  },
);

test.each([
  { name: "CRLF", from: "\n", to: "\r\n" },
  { name: "CR", from: "\n", to: "\r" },
  { name: "no space after `data:`", from: "data: ", to: "data:" },
  { name: "two spaces after `data:`", from: "data: ", to: "data:  " },
  { name: "an id on every event", from: "data: ", to: "id: 1\ndata: " },
  { name: "an event name nobody asked for", from: "data: ", to: "event: message\ndata: " },
])(
  "a stream with $name is understood in each piece, and passed on as it is",
  async ({ from, to }) => {
    const stream = TEXT.replaceAll(from, to);

    for (const size of [1, 7, stream.length]) {
      const { text, response } = await rig.ask(streams(pieces(bytesOf(stream), size)), CHAT_STREAM);

      expect(response.status).toBe(200);
      expect(text).toBe(stream);
    }
  },
);

test.each([
  { name: "LF", to: "\n" },
  { name: "CRLF", to: "\r\n" },
  { name: "CR", to: "\r" },
])(
  "the first event is delivered when its blank line has come, though no more follows: $name",
  async ({ to }) => {
    const first = hi.replaceAll("\n", to);
    const rest = (stop + DONE).replaceAll("\n", to);
    const { promise: isRead, resolve: release } = Promise.withResolvers<void>();
    using upstream = scriptedUpstream(async (wire) => {
      wire.sse();
      wire.write(first);
      await isRead;
      wire.write(rest);
      wire.end();
    });
    await using router = await startRouter({ config: provider("a", upstream.base_url) });

    const response = await router.post("/v1/chat/completions", CHAT_STREAM);
    const reader = response.body?.getReader();
    let text = new TextDecoder().decode((await reader?.read())?.value);
    expect(text).toBe(first);
    release();
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
      text += new TextDecoder().decode(read.value);
    }

    expect(text).toBe(first + rest);
    expect(upstream.requests).toHaveLength(1);
  },
);

test.each([
  {
    name: "comments before and between",
    stream: `: PROCESSING\n\n: PROCESSING\n\n${hi}: still\n\n${stop}${DONE}`,
  },
  { name: "a comment on the frame of an event", stream: `: note\n${hi}${stop}${DONE}` },
  { name: "blank lines between", stream: `\n\n\n${hi}\n\n${stop}${DONE}` },
  { name: "a retry field of its own", stream: `retry: 100\n\n${hi}${stop}${DONE}` },
])("$name pass as they are, and no comment becomes an event", async ({ stream }) => {
  const { text } = await rig.ask(streams([stream]), CHAT_STREAM);

  expect(text).toBe(stream);
  expect(text).not.toMatch(/^data: ?:/m);
});

test.each([
  { name: "1 MiB", size: 1024 * 1024 },
  { name: "4 MiB", size: 4 * 1024 * 1024 },
])("an event whose one line is $name long passes whole", async ({ size }) => {
  const stream = chunk({ content: "A".repeat(size) }) + stop + DONE;

  const { bytes } = await rig.ask(streams([stream]), CHAT_STREAM);

  expect(Buffer.compare(bytes, bytesOf(stream))).toBe(0);
});

const longCall = (index: string) =>
  `data: {"choices":[{"index":0,"delta":{"tool_calls":[{${index}"id":"c","type":"function","function":{"name":"f","arguments":"{\\"x\\":\\"${"é".repeat(2 * 1024 * 1024)}\\"}"}}]}}]}\n\n`;

test("a tool argument of 4 MiB that must be repaired keeps every byte", async () => {
  const { bytes } = await rig.ask(
    streams([longCall(""), chunk({}, "tool_calls"), DONE]),
    CHAT_STREAM,
  );

  const wanted = bytesOf(longCall('"index":0,') + chunk({}, "tool_calls") + DONE);
  expect(Buffer.compare(bytes, wanted)).toBe(0);
});

test("a payload over several lines is one event, read as such", async () => {
  const call = `data: {"choices":[{"index":0,\ndata: "delta":{"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}}]}\n\n`;

  const { text } = await rig.ask(streams([call, chunk({}, "stop"), DONE]), CHAT_STREAM);

  expect(text).toContain('"tool_calls":[{"index":0,"id":"c"');
  expect(text).toEndWith(chunk({}, "tool_calls") + DONE);
});

test("an event above `routing.max_frame` ends the stream with an error in its own protocol", async () => {
  await using small = await openWireRig({ config: '[routing]\nmax_frame = "64KiB"\n' });

  const { text } = await small.ask(
    streams([hi, chunk({ content: "A".repeat(100_000) }), stop, DONE]),
    CHAT_STREAM,
  );

  expect(text).toStartWith(`${hi}data: {"error":`);
  expect(text).toContain("routing.max_frame");
  expect(text).toEndWith(`\n\n${DONE}`);
});

test.each([
  {
    name: "a first object cut in mid-write, a second on its line",
    frames: [
      `data: {"id":"1","object":"chat.completion.c${chunk({ content: "I" })}`,
      chunk({ content: " am" }),
    ],
    got: [chunk({ content: "I" }), chunk({ content: " am" })],
  },
  {
    name: "two events without a blank line between",
    frames: [`${chunk({ content: "I" }).trimEnd()}\n${chunk({ content: " am" })}`],
    got: [chunk({ content: "I" }), chunk({ content: " am" })],
  },
  { name: "an event that holds no JSON", frames: [hi, "data: oops\n\n", hi], got: [hi, hi] },
  { name: "an event that holds nothing", frames: [hi, "data:\n\n", hi], got: [hi, hi] },
])("$name does not end the stream", async ({ frames, got }) => {
  const { text } = await rig.ask(streams([...frames, stop, DONE]), CHAT_STREAM);

  expect(text).toBe([...got, stop, DONE].join(""));
});

test("the literal `data: ` inside a text is text", async () => {
  const stream = streamOf('data: {"a":1}\n\ndata: [DONE]\n\n', "data: {}");

  const { text } = await rig.ask(streams([stream]), CHAT_STREAM);

  expect(text).toBe(stream);
});

test("a real client reads what odd streams say", async () => {
  const client = new OpenAI({ baseURL: `${rig.router.url}/v1`, apiKey: "unused", maxRetries: 0 });
  const odd = [
    "\uFEFF",
    ": note\r\n\r\n",
    chunk({ role: "assistant", content: "" }).replaceAll("\n", "\r\n"),
    chunk({ content: "한🙂" }).replace("data: ", "data:"),
    `${chunk({ content: "é" }).trimEnd()}\n${chunk({ content: "!" })}`,
    stop.trimEnd(),
  ];
  // The rig posts the request that sets the script; the client then gets the same answer.
  await rig.ask(streams(odd), CHAT_STREAM);

  const stream = await client.chat.completions.create({
    model: "a:m",
    messages: [{ role: "user", content: "hi" }],
    stream: true,
  });
  const said: string[] = [];
  const reasons: string[] = [];
  for await (const { choices } of stream) {
    said.push(choices[0]?.delta.content ?? "");
    if (choices[0]?.finish_reason) reasons.push(choices[0].finish_reason);
  }

  expect(said.join("")).toBe("한🙂é!");
  expect(reasons).toEqual(["stop"]);
});
