import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { type InputLine, jsonLines } from "../../../src/cli/terminal/json-lines.ts";

async function* chunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const size of sizes) {
    yield bytes.subarray(start, start + size);
    start += size;
  }
  yield bytes.subarray(start);
}

async function read(bytes: Uint8Array, sizes: readonly number[] = [], maxBytes?: number) {
  const lines: InputLine[] = [];
  for await (const line of jsonLines(chunks(bytes, sizes), maxBytes)) lines.push(line);
  return lines;
}

const encode = (text: string) => new TextEncoder().encode(text);

test("every line gives one result however the input is cut", async () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { maxLength: 8 }),
      fc.array(fc.nat(40), { maxLength: 20 }),
      fc.constantFrom("\n", "\r\n"),
      async (values, sizes, ending) => {
        const text = values.map((line) => JSON.stringify(line) + ending).join("");

        expect(await read(encode(text), sizes)).toEqual(
          values.map((line) => ({ kind: "object", value: JSON.parse(JSON.stringify(line)) })),
        );
      },
    ),
    { numRuns: 100 },
  );
});

test.each<{ what: string; bytes: Uint8Array; problem: RegExp }>([
  { what: "no JSON", bytes: encode("nope\n"), problem: /^the line is not JSON: / },
  { what: "a list", bytes: encode("[1]\n"), problem: /no object/ },
  {
    what: "endless nesting",
    bytes: encode(`{"id":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n`),
    problem: /nests too deeply/,
  },
  { what: "null", bytes: encode("null"), problem: /no object/ },
  { what: "nothing", bytes: encode("\n"), problem: /empty/ },
  { what: "bad bytes", bytes: new Uint8Array([0x7b, 0xff, 0x7d, 0x0a]), problem: /not UTF-8/ },
])("a line with $what is unreadable and the next one is read", async ({ bytes, problem }) => {
  const whole = Buffer.concat([bytes, encode(bytes.at(-1) === 0x0a ? '{"id":1}' : '\n{"id":1}')]);

  expect(await read(whole)).toEqual([
    { kind: "unreadable", problem: expect.stringMatching(problem) },
    { kind: "object", value: { id: 1 } },
  ]);
});

test("a last line needs no line feed, and an end after a line feed is no line", async () => {
  const line = { kind: "object", value: { id: 1 } } as const;

  expect(await read(encode('{"id":1}'))).toEqual([line]);
  expect(await read(encode('{"id":1}\n'))).toEqual([line]);
  expect(await read(encode(""))).toEqual([]);
});

test("a line beyond the limit is passed over, whatever its chunks, and the next one is read", async () => {
  const bytes = encode(`{"id":"${"x".repeat(100)}"}\n{"id":2}\n`);

  for (const sizes of [[], [10, 10, 10, 10, 10, 10, 10], [109, 1]]) {
    expect(await read(bytes, sizes, 64)).toEqual([
      { kind: "unreadable", problem: "the line is longer than 64 bytes" },
      { kind: "object", value: { id: 2 } },
    ]);
  }
});
