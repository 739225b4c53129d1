import { expect, test } from "bun:test";

import { assert, constantFrom, json, nat, pre, property } from "fast-check";

import { jsonBreak } from "../../../src/protocol/json/position.ts";

test.each([
  { text: "", line: 1, column: 1 },
  { text: "{", line: 1, column: 2 },
  { text: '{"a": secret}', line: 1, column: 7 },
  { text: '{"a":1', line: 1, column: 7 },
  { text: '{"a":1,}', line: 1, column: 8 },
  { text: '{"a" 1}', line: 1, column: 6 },
  { text: "{a:1}", line: 1, column: 2 },
  { text: "{,}", line: 1, column: 2 },
  { text: "[,]", line: 1, column: 2 },
  { text: "[1,]", line: 1, column: 4 },
  { text: "[1 2]", line: 1, column: 4 },
  { text: "[1}", line: 1, column: 3 },
  { text: '"unended', line: 1, column: 9 },
  { text: String.raw`"a\x"`, line: 1, column: 3 },
  { text: String.raw`"\u12g4"`, line: 1, column: 2 },
  { text: '"tab\there"', line: 1, column: 5 },
  { text: "tru", line: 1, column: 1 },
  { text: "01", line: 1, column: 1 },
  { text: "1.", line: 1, column: 1 },
  { text: "NaN", line: 1, column: 1 },
  { text: "{} {}", line: 1, column: 4 },
  { text: '{\n  "a": [\n    1,\n    b\n  ]\n}', line: 4, column: 5 },
  { text: '{\r\n"a": }', line: 2, column: 6 },
])("`$text` breaks at $line:$column", ({ text, line, column }) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonBreak(text)).toEqual({ line, column });
});

/** The offset of a position, which the tests below compare texts by. */
function offsetOf(text: string): number {
  const { line, column } = jsonBreak(text);
  const before = text.split("\n").slice(0, line - 1);
  return before.join("\n").length + (before.length > 0 ? 1 : 0) + column - 1;
}

const anyJson = json({ maxDepth: 4 });

test("a whole text breaks only where it ends, whatever stands in it", () => {
  assert(
    property(anyJson, (text) => {
      expect(offsetOf(text)).toBe(text.length);
    }),
  );
});

test("nothing before the break is at fault", () => {
  const junk = constantFrom("}", "]", ",", ":", "x", '"', "-", "\\", "\n");
  assert(
    property(anyJson, junk, nat(), (text, piece, seed) => {
      const at = seed % (text.length + 1);
      const damaged = text.slice(0, at) + piece + text.slice(at);
      pre(!parses(damaged));
      const before = damaged.slice(0, offsetOf(damaged));

      expect(parses(before) || offsetOf(before) === before.length).toBe(true);
    }),
  );
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test.each([
  { name: "two million brackets", text: "[".repeat(2_000_000), column: 2_000_001 },
  { name: "a long string", text: `"${"x".repeat(2_000_000)}`, column: 2_000_002 },
  { name: "many escapes", text: `"${String.raw`\n`.repeat(500_000)}`, column: 1_000_002 },
])("$name is read without recursion", ({ text, column }) => {
  expect(jsonBreak(text)).toEqual({ line: 1, column });
});
