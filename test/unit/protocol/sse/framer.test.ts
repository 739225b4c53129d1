import { expect, test } from "bun:test";

import { createParser } from "eventsource-parser";
import * as fc from "fast-check";

import { joinBytes } from "../../../../src/protocol/json/edit.ts";
import { createFramer, type Frame } from "../../../../src/protocol/sse/framer.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** All frames of a stream that arrives in these chunks. */
function framesOf(chunks: readonly Uint8Array[], max_frame = Number.POSITIVE_INFINITY): Frame[] {
  const framer = createFramer({ max_frame });
  const frames = chunks.flatMap((chunk) => framer.push(chunk).frames);
  const last = framer.end();
  return last ? [...frames, last] : frames;
}

const frameTexts = (text: string) => framesOf([bytesOf(text)]).map(({ raw }) => textOf(raw));

/** What a parser of the whole text makes of it; the blank line ends an event that none has ended. */
function eventsOf(text: string) {
  const events: { event: string | undefined; data: string }[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event, data }),
    maxBufferSize: Number.POSITIVE_INFINITY,
  });
  parser.feed(`${text.replaceAll(/\r\n?/g, "\n")}\n\n`);
  return events;
}

const lineBreak = fc.constantFrom("\n", "\r", "\r\n");
const anyLine = fc.oneof(
  fc.constantFrom(
    "",
    "",
    "data",
    "data:",
    "data: ",
    "data:  two",
    "data: [DONE]",
    "event: error",
    "event:ping",
    "event",
    "id: 1",
    "retry: 10",
    ": comment",
    ":",
    "datax: 1",
    "data: 한🙂é",
    "\uFEFFdata: not at the start",
    "no colon",
    'data: {"a":1}',
    'data:{"a":1}',
    'data: {"a":"한"}',
    "data: {",
    "\uFEFFdata: {",
    "Data: {",
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }).map((text) => `data: ${text.toWellFormed()}`),
);

/** A stream of any lines with any mix of line breaks, BOM or not. */
const streamText = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(fc.tuple(anyLine, lineBreak), { maxLength: 16 }))
  .map(([bom, lines]) => bom + lines.flat().join(""));

/** Bytes cut at any places, empty chunks included. */
const cut = (bytes: Uint8Array, at: readonly number[]): Uint8Array[] => {
  const ends = at.map((n) => n % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, n) => bytes.subarray(ends[n - 1] ?? 0, end));
};

test("the frames' bytes are the stream's, less one BOM, however it is cut", () => {
  fc.assert(
    fc.property(streamText, fc.array(fc.nat(), { maxLength: 8 }), (text, at) => {
      const chunks = cut(bytesOf(text), at);

      const frames = framesOf(chunks);

      expect(textOf(joinBytes(frames.map(({ raw }) => raw)))).toBe(text.replace(/^\uFEFF/, ""));
    }),
    { numRuns: 500 },
  );
});

test("the events are those of a parser that got the stream whole, however it is cut", () => {
  fc.assert(
    fc.property(streamText, fc.array(fc.nat(), { maxLength: 8 }), (text, at) => {
      const frames = framesOf(cut(bytesOf(text), at));

      const events = frames.flatMap(({ event, data }) =>
        data === undefined ? [] : [{ event, data }],
      );
      expect(events).toEqual(eventsOf(text));
    }),
    { numRuns: 500 },
  );
});

const plainLine = 'data: {"a":1}\n\n';

/** Bytes that mean something in a stream, in any order, whole frames of the common form among them. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.constant(bytesOf(plainLine)),
      fc.constantFrom("d", ":", "{", "}", " ", "\n", "\n", "\r").map(bytesOf),
      fc.constantFrom("data: {", "data: {\r", "\n\n", ":\n\n", "é").map(bytesOf),
      fc.constantFrom("event: error\n", "event: \n", "event: x\r\n", "event:  x\n").map(bytesOf),
      fc.constantFrom(0xef, 0xbb, 0xbf, 0xff, 0xc3, 0xf0, 0x00).map((byte) => Uint8Array.of(byte)),
    ),
    { maxLength: 24 },
  )
  .map(joinBytes);

test("any bytes at all come to what a parser makes of them, however they are cut", () => {
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(), { maxLength: 6 }), (bytes, at) => {
      const frames = framesOf(cut(bytes, at));

      const events = frames.flatMap(({ event, data }) =>
        data === undefined ? [] : [{ event, data }],
      );
      expect(events).toEqual(eventsOf(textOf(bytes)));
      expect(frames.every(({ terminated }, n) => terminated || n === frames.length - 1)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("a frame of the common form is a view of the chunk it came in, and a lone one the chunk", () => {
  const lone = bytesOf(plainLine);
  const pair = bytesOf(plainLine + plainLine);

  const frames = framesOf([lone, pair]);

  expect(frames[0]?.raw).toBe(lone);
  expect(frames.slice(1).map(({ raw }) => raw.buffer === pair.buffer)).toEqual([true, true]);
});

test("a blank line after a frame of the common form is one of its own, whatever came before", () => {
  const chunks = ["data: a\r\r", `${plainLine}\n${plainLine}`];

  expect(framesOf(chunks.map(bytesOf)).map(({ raw }) => textOf(raw))).toEqual([
    "data: a\r\r",
    plainLine,
    "\n",
    plainLine,
  ]);
});

test("a frame is complete as soon as its blank line is", () => {
  for (const [first, second] of [
    ["data: a\n\n", ""],
    ["data: a\r\n\r\n", ""],
    ["data: a\r\r", ""],
    ["data: a\r\n\r", "\n"],
  ] as const) {
    const framer = createFramer({ max_frame: 100 });

    expect(framer.push(bytesOf(first)).frames).toMatchObject([{ data: "a", terminated: true }]);
    expect(framer.push(bytesOf(`${second}data: b\n\n`)).frames.at(-1)?.data).toBe("b");
  }
});

test.each([
  {
    name: "each blank line is a frame of its own",
    text: "\n\ndata: a\n\n",
    frames: ["\n", "\n", "data: a\n\n"],
  },
  {
    name: "comments between events",
    text: ": x\n\ndata: a\n\n",
    frames: [": x\n\n", "data: a\n\n"],
  },
  {
    name: "mixed line breaks",
    text: "data: a\n\r\ndata: b\r\n\ndata: c\r\r",
    frames: ["data: a\n\r\n", "data: b\r\n\n", "data: c\r\r"],
  },
  {
    name: "no blank line at the end",
    text: "data: a\n\ndata: b",
    frames: ["data: a\n\n", "data: b"],
  },
])("$name", ({ text, frames }) => {
  expect(frameTexts(text)).toEqual([...frames]);
});

test.each([
  { name: "one space after the colon", line: "data: x", data: "x" },
  { name: "no space", line: "data:x", data: "x" },
  { name: "two spaces keep one", line: "data:  x", data: " x" },
  { name: "several lines are joined", line: "data: a\ndata: b", data: "a\nb" },
  { name: "several lines with CRLF are joined alike", line: "data: a\r\ndata: b", data: "a\nb" },
  { name: "no value", line: "data", data: "" },
])("$name", ({ line: text, data }) => {
  expect(framesOf([bytesOf(`${text}\n\n`)]).map((frame) => frame.data)).toEqual([data]);
});

test("exactly one BOM goes, split or not; a later one stays", () => {
  const bytes = bytesOf("\uFEFFdata: a\n\ndata: \uFEFFb\n\n");

  for (let at = 0; at <= 4; at++) {
    const frames = framesOf([bytes.subarray(0, at), bytes.subarray(at)]);

    expect(frames.map(({ raw }) => textOf(raw))).toEqual(["data: a\n\n", "data: \uFEFFb\n\n"]);
    expect(frames.map(({ data }) => data)).toEqual(["a", "\uFEFFb"]);
  }
});

test("bytes that only begin like a BOM are kept", () => {
  const frames = framesOf([Uint8Array.of(0xef), Uint8Array.of(0xbb), bytesOf("data: a\n\n")]);

  expect(joinBytes(frames.map(({ raw }) => raw))).toEqual(
    joinBytes([Uint8Array.of(0xef, 0xbb), bytesOf("data: a\n\n")]),
  );
});

test("a frame above the limit ends the stream, and those before it are not lost", () => {
  const framer = createFramer({ max_frame: 16 });

  expect(framer.push(bytesOf("data: a\n\ndata: b\n\ndata: 0123"))).toMatchObject({
    frames: [{ data: "a" }, { data: "b" }],
    is_too_large: false,
  });
  expect(framer.push(bytesOf("4567890"))).toEqual({ frames: [], is_too_large: true });
  expect(framer.push(bytesOf("\n\ndata: c\n\n"))).toEqual({ frames: [], is_too_large: true });
});

test("a frame of exactly the limit passes", () => {
  const framer = createFramer({ max_frame: 9 });

  expect(framer.push(bytesOf("data: a\n\ndata: bc\n\n"))).toMatchObject({
    frames: [{ data: "a" }],
    is_too_large: true,
  });
});

test("a line of 4 MiB in small chunks is read once, not once per chunk", () => {
  const line = bytesOf(`data: "${"x".repeat(4 * 1024 * 1024)}"\n\n`);
  let read = 0;
  const counting = (chunk: Uint8Array) =>
    new Proxy(chunk, {
      get(target, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) read++;
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });
  const frames: Frame[] = [];

  for (let at = 0; at < line.length; at += 1024) {
    frames.push(...framer.push(counting(line.subarray(at, at + 1024))).frames);
  }

  expect(frames.map(({ raw }) => raw.length)).toEqual([line.length]);
  expect(read).toBeLessThan(1.1 * line.length);
});
