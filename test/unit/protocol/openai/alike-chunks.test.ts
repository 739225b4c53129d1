import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { createStreamReader } from "../../../../src/protocol/openai/stream.ts";
import { countedIds, DONE, framesOf } from "./read-stream.ts";

const decoder = new TextDecoder();

/** What a reader makes of frames: what goes on, what it is told, and what it knows in the end. */
function readFrames(
  text: string,
  dialect: "chat" | "completions",
  shown = (piece: string): string => piece,
) {
  const told: string[] = [];
  const hosts: unknown[] = [];
  const reader = createStreamReader({
    dialect,
    drop_usage: false,
    newId: countedIds(),
    onEdit: (edit) => told.push(`edit ${edit}`),
    onHost: (name) => hosts.push(name),
    onText: (choice, piece) => told.push(`${choice}: ${piece}`),
  });
  const steps = framesOf(text).map((frame) => {
    const { out, is_content, is_done, error } = reader.read(frame);
    const told_error = error === null ? null : shown(error);
    return { out: shown(decoder.decode(out)), is_content, is_done, error: told_error };
  });
  return { steps, told, hosts, facts: reader.facts(), choices: reader.choices() };
}

const framed = (payloads: readonly string[]) =>
  payloads.map((payload) => `data: ${payload}\n\n`).join("");
const unnumbered = (text: string) => text.replaceAll(/\{"n":\d+,/g, "{");

/** The same where each chunk has a number of its own, so that none repeats another and all are read whole. */
function readUnlike(payloads: readonly string[], dialect: "chat" | "completions") {
  const numbered = payloads.map((payload, n) => payload.replace(/^\{/, `{"n":${n},`));
  return readFrames(framed(numbered) + DONE, dialect, unnumbered);
}

/** What may stand where a chunk has its text: strings in any spelling, and what is none. */
const spelling = fc.oneof(
  fc.constantFrom('"a"', '"b c"'),
  fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('""', '"', '" "', '"\uFFFD"', '"\t"', '"a"b"', "null", "[]"),
  fc.constantFrom(
    String.raw`"\u00e9\n"`,
    String.raw`"\\"`,
    String.raw`"\""`,
    String.raw`"\ufffd"`,
    String.raw`"\x"`,
    String.raw`"a\"`,
    '"a","content":"b"',
    '"a"},"delta":{"content":"b"',
    '"a"}},{"index":1,"delta":{"content":"b"',
    '[{"type":"text","text":"a"}]',
  ),
);

const CALL = '"tool_calls":[{"index":0,"id":"x","function":{"name":"f","arguments":"1"}}]';
const IMAGE = '"content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{}}]';

/** Members of a chunk's delta; `@` stands for the text that changes. */
const said = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('"content":@', '"role":"assistant","content":@') },
  fc.constantFrom('"reasoning":@', '"content":"","reasoning_content":@', `${IMAGE},"reasoning":@`),
  fc.constantFrom(`"content":@,${CALL}`, '"content":@,"function_call":{"arguments":"{"}'),
  fc.constantFrom('"content":@,"reasoning":@', '"content":null,"refusal":"no"', '"x":@'),
);

const usage = (tokens: number) => `,"usage":{"prompt_tokens":${tokens}}`;

/** A chunk that a vendor may send; `%` stands for padding. */
const kind = fc
  .record({
    start: fc.constantFrom('"id":"a"', '"id":"a","provider":"h"', '"id":"b"', '"obfuscation":%'),
    index: fc.constantFrom("0", "0", "0", "1", "null"),
    said,
    finish: fc.constantFrom("", "", "", "", ',"finish_reason":"stop"', ',"finish_reason":"odd"'),
    rest: fc.constantFrom("", "", ',"obfuscation":%', usage(1), usage(2), ',"error":"e"'),
  })
  .map(({ start, index, said: delta, finish, rest }) => {
    const choice = `{"index":${index},"text":@,"delta":{${delta}}${finish}}`;
    return `{${start},"choices":[${choice}]${rest}}`;
  });

/** A few chunks again and again, each time with another text where the dialect has it. */
const stream = (dialect: "chat" | "completions") =>
  fc
    .tuple(
      fc.array(kind, { minLength: 1, maxLength: 3 }),
      fc.array(fc.record({ pick: fc.nat(), text: spelling, padding: spelling }), { maxLength: 16 }),
    )
    .map(([kinds, chunks]) =>
      chunks.map(({ pick, text, padding }) =>
        (kinds[pick % kinds.length] ?? "")
          .replace(dialect === "chat" ? '"text":@' : '"content":@', '"x":0')
          .replaceAll("@", () => text)
          .replaceAll("%", () => padding),
      ),
    );

test.each(["chat", "completions"] as const)(
  "a chunk of %s that repeats another tells what it would tell if it were read whole",
  (dialect) => {
    fc.assert(
      fc.property(stream(dialect), (payloads) => {
        const read = readFrames(framed(payloads) + DONE, dialect);

        expect(read).toEqual(readUnlike(payloads, dialect));
      }),
      { numRuns: 800 },
    );
  },
);

const chunk = (text: string, rest = "") =>
  `{"choices":[{"index":0,"delta":{"content":${text}}}]${rest}}`;

test.each([
  { name: "a text that never ends", payload: chunk('"') },
  { name: "padding that never ends", payload: chunk('"a"', ',"obfuscation":"') },
])("$name is no repetition of a chunk", ({ payload }) => {
  const before = [chunk('"a"'), chunk('"a"', ',"obfuscation":"x"')];
  const payloads = [...before, ...before, payload];

  const read = readFrames(framed(payloads) + DONE, "chat");

  expect(read).toEqual(readUnlike(payloads, "chat"));
});
