import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { joinBytes } from "../../../src/protocol/json/edit.ts";
import { type AnswerReader, readSame } from "../../../src/protocol/translate/stream-reader.ts";
import { createConsumer } from "../../../src/relay/stream-consumer.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
/** Byte for byte, so that broken UTF-8 differs from what stands for it. */
const shown = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

interface Reading {
  readonly chunks: readonly Uint8Array[];
  readonly passes?: (reader: AnswerReader) => AnswerReader["passes"];
  readonly max_frame?: number;
}

/** What a consumer makes of a stream: what goes on, how it ends, and what is told on the way. */
function consumeAll({ chunks, passes, max_frame = 1e6 }: Reading) {
  const texts = new Map<number, string>();
  const told: unknown[] = [];
  let latest_host: unknown;
  const consumer = createConsumer({
    reader: (onText) => {
      const reader = readSame({
        dialect: "chat",
        drop_usage: true,
        newId: () => "id",
        onEdit: (edit) => told.push(edit),
        onHost(host) {
          // Frames that pass together name theirs once.
          if (host !== latest_host) told.push({ host });
          latest_host = host;
        },
        ...(onText && { onText }),
      });
      return passes ? { ...reader, passes: passes(reader) } : reader;
    },
    max_frame,
    onText(choice, text, bytes) {
      texts.set(choice, (texts.get(choice) ?? "") + text);
      if (text.includes("\uFFFD")) told.push({ choice, text, bytes: shown(bytes) });
    },
  });
  const out: Uint8Array[] = [];
  let content_in: number | null = null;
  for (const [at, chunk] of chunks.entries()) {
    const consumed = consumer.feed(chunk);
    out.push(consumed.out);
    if (consumed.is_content) content_in = at;
    if (consumed.end) return result(consumed.end);
  }
  const last = consumer.finish();
  out.push(last.out);
  return result(last.end);

  function result(end: typeof last.end) {
    const marker = end?.kind === "done" ? shown(end.marker) : null;
    const facts = { ...consumer.facts(), choices: consumer.choices() };
    return { out: shown(joinBytes(out)), end: end?.kind, marker, content_in, texts, told, facts };
  }
}

/** The same where no frame passes without being looked at. */
const consumeEach = (reading: Reading) => consumeAll({ ...reading, passes: () => null });

const spelling = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("a", " b", "", "é", "한🙂") },
  fc.string({ unit: "grapheme", maxLength: 4 }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc.constantFrom(String.raw`\n`, String.raw`\"`, String.raw`\\`, String.raw`\ud83d`),
  fc.constantFrom(String.raw`\u12`, "34", String.raw`\x`, '"', "\t"),
  fc.constantFrom(
    "\uFFFD",
    String.raw`\ufffd`,
    "\r",
    "\uFEFF",
    '"}},{"index":1,"delta":{"content":"',
  ),
);

const member = fc.constantFrom("content", "content", "content", "reasoning_content");

/** A frame of a few kinds that come again and again, which a text makes different. */
const chunkFrame = fc
  .record({
    text: spelling,
    index: fc.constantFrom(0, 0, 0, 1),
    key: member,
    rest: fc.constantFrom("", "", "", ',"provider":"h"', ',"provider":"é"', ',"obfuscation":"x"'),
    field: fc.constantFrom("data: ", "data: ", "data: ", "data:", "event: x\ndata: "),
    lineEnd: fc.constantFrom("\n", "\n", "\n", "\r\n", "\r"),
  })
  .map(({ text, index, key, rest, field, lineEnd }) => {
    const payload = `{"choices":[{"index":${index},"delta":{"${key}":"${text}"}}]${rest}}`;
    return field + payload + lineEnd + lineEnd;
  });

const otherFrame = fc.constantFrom(
  ": a comment\n\n",
  "\n",
  'data: {"choices":[{"index":0,"delta":{"content":null,"tool_calls":[{"function":{"name":"f"}}]}}]}\n\n',
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n',
  'data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n',
  'data: {"error":"e"}\n\n',
  "data: [DONE]\n\n",
);

/** What a frame may be in bytes: as it is written, or with a byte that is no UTF-8. */
const frame = fc.oneof(
  { weight: 12, arbitrary: chunkFrame.map(bytesOf) },
  { weight: 1, arbitrary: otherFrame.map(bytesOf) },
  { weight: 1, arbitrary: chunkFrame.map((text) => Buffer.from(text, "latin1")) },
);

/** Bytes cut at any places, empty chunks included. */
function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const ends = at.map((n) => n % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, n) => bytes.subarray(ends[n - 1] ?? 0, end));
}

const chunks = fc
  .tuple(fc.array(frame, { maxLength: 24 }), fc.array(fc.nat(), { maxLength: 4 }))
  .map(([frames, at]) => cut(joinBytes(frames), at));

test("a stream comes to the same whether its frames are looked at each or pass together", () => {
  fc.assert(
    fc.property(chunks, fc.constantFrom(57, 58, 60, 1e6), (given, max_frame) => {
      const reading = { chunks: given, max_frame };

      expect(consumeAll(reading)).toEqual(consumeEach(reading));
    }),
    { numRuns: 3000 },
  );
});

const said = (text: string, lineEnd = "\n") =>
  `data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}${lineEnd}${lineEnd}`;

/** As OpenAI sends it, with the text before its padding or after. */
function withPadding(text: string, padding: string, at: "before" | "after"): string {
  const choices = `"choices":[{"index":0,"delta":{"content":"${text}"}}]`;
  const filling = `"obfuscation":"${padding}"`;
  return `data: {${at === "before" ? `${choices},${filling}` : `${filling},${choices}`}}\n\n`;
}

/** As Python writes it. */
const spaced = (text: string) =>
  String.raw`data: {"choices": [{"delta": {"content": "\u00e9${text}"}, "index": 0}]}` + "\n\n";

test.each([
  { name: "ASCII", frames: [said("a"), said("b"), said("c")] },
  { name: "more than ASCII", frames: [said("é"), said("한"), said("🙂")] },
  { name: "escapes", frames: [said("a"), said(String.raw`\n`), said(String.raw`\\`)] },
  {
    name: "padding before the text",
    frames: ["a", "b"].map((text) => withPadding(text, "x", "after")),
  },
  {
    name: "padding after the text",
    frames: ["a", "bc"].map((text) => withPadding(text, text, "before")),
  },
  { name: "blanks and escapes", frames: ["a", "b"].map((text) => spaced(text)) },
  {
    name: "reasoning",
    frames: ["a", "b"].map((text) => said(text).replace("content", "reasoning")),
  },
  { name: "CRLF", frames: [said("a", "\r\n"), said("b", "\r\n"), said("c", "\r\n")] },
])("frames that repeat one another pass in one go: $name", ({ frames }) => {
  const begun = bytesOf(frames.slice(0, 1).join(""));
  const more = bytesOf(frames.slice(1).join(""));
  const passed: string[] = [];
  const watched = (reader: AnswerReader) => (text: string, from: number) => {
    const end = reader.passes?.(text, from) ?? from;
    if (end > from) passed.push(text.slice(from, end));
    return end;
  };

  const { out } = consumeAll({ chunks: [begun, more], passes: watched });

  expect(passed).toEqual([frames.slice(1).join("")]);
  expect(out).toBe(shown(joinBytes([begun, more])));
});

test("a chunk whose frames all pass goes on as the very bytes that came", () => {
  const consumer = createConsumer({
    reader: () =>
      readSame({ dialect: "chat", drop_usage: false, newId: () => "id", onEdit: () => undefined }),
    max_frame: 1e6,
  });
  consumer.feed(bytesOf(said("a")));
  const chunk = bytesOf(said("b") + said("c"));

  expect(consumer.feed(chunk).out).toBe(chunk);
});
