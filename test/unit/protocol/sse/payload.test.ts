import { expect, test } from "bun:test";

import { createFramer, type Frame } from "../../../../src/protocol/sse/framer.ts";
import {
  closedFrame,
  frameBytes,
  lastFrame,
  payloadOf,
} from "../../../../src/protocol/sse/payload.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function frameOf(text: string): Frame {
  const framer = createFramer({ max_frame: Number.POSITIVE_INFINITY });
  const frame = framer.push(bytesOf(text)).frames[0] ?? framer.end();
  if (!frame) throw new Error("no frame");
  return frame;
}

test.each([
  { name: "with a space", frame: "data: abc\n\n", edited: "data: aXc\n\n" },
  { name: "without a space", frame: "data:abc\n\n", edited: "data:aXc\n\n" },
  { name: "with CRLF", frame: "data: abc\r\n\r\n", edited: "data: aXc\r\n\r\n" },
  { name: "with CR", frame: "data: abc\r\r", edited: "data: aXc\r\r" },
  {
    name: "between other fields",
    frame: ": c\nid: 1\nevent: e\ndata: abc\nretry: 5\n\n",
    edited: ": c\nid: 1\nevent: e\ndata: aXc\nretry: 5\n\n",
  },
  {
    name: "after a field that only begins alike",
    frame: "datax: abc\ndata: abc\n\n",
    edited: "datax: abc\ndata: aXc\n\n",
  },
  { name: "without its blank line", frame: "data: abc", edited: "data: aXc" },
])("a payload $name is edited where it stands", ({ frame, edited }) => {
  const payload = payloadOf(frameOf(frame));

  expect(textOf(payload.bytes)).toBe("abc");
  expect(textOf(payload.edited([{ start: 1, end: 2, text: "X" }]))).toBe(edited);
});

test("a payload over several lines is written anew when it is edited", () => {
  const payload = payloadOf(frameOf("event: e\r\ndata: a\r\ndata: b\r\n\r\n"));

  expect(textOf(payload.bytes)).toBe("a\nb");
  expect(textOf(payload.edited([{ start: 2, end: 3, text: "X" }]))).toBe(
    "event: e\ndata: a\ndata: X\n\n",
  );
});

test.each([
  { name: "no line break", text: "data: a", closed: "data: a\n\n" },
  { name: "a line feed", text: "data: a\n", closed: "data: a\n\n" },
  { name: "a carriage return", text: "data: a\r", closed: "data: a\r\n\n" },
  { name: "a CRLF", text: "data: a\r\n", closed: "data: a\r\n\n" },
])("a frame that ends in $name is given its blank line", ({ text, closed }) => {
  const frame = frameOf(text);

  const bytes = closedFrame(frame, frame.raw);

  expect(textOf(bytes)).toBe(closed);
  expect(frameOf(textOf(bytes))).toMatchObject({ data: "a", terminated: true });
});

test("a frame of ours reads as what was put into it", () => {
  const text = textOf(frameBytes("error", "first\nsecond"));

  expect(frameOf(text)).toMatchObject({ event: "error", data: "first\nsecond", terminated: true });
});

test.each([
  { name: "CRLF, whole", frame: "data: [DONE]\r\n\r\n", whole: "data: [DONE]\r\n\r\n" },
  { name: "CRLF, cut", frame: "data: [DONE]\r\n\r", whole: "data: [DONE]\r\n\r\n" },
  { name: "CR alone", frame: "data: [DONE]\r\r", whole: "data: [DONE]\r\r" },
  { name: "LF", frame: "data: [DONE]\n\n", whole: "data: [DONE]\n\n" },
])("the last frame of a stream has its line end whole: $name", ({ frame, whole }) => {
  const last = lastFrame(new TextEncoder().encode(frame));

  expect(new TextDecoder().decode(last)).toBe(whole);
});
