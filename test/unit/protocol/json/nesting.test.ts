import { expect, test } from "bun:test";

import { isTooDeep } from "../../../../src/protocol/json/nesting.ts";
import { argumentsText } from "../../../../src/protocol/openai/stream/tool-calls.ts";

const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

test.each([
  { name: "a text", value: "x", deep: false },
  { name: "null", value: null, deep: false },
  { name: "1000 levels", value: nested(1000), deep: false },
  { name: "1001 levels", value: nested(1001), deep: true },
  { name: "100000 levels in a member", value: { a: 1, b: [{ c: nested(100_000) }] }, deep: true },
])("$name too deep: $deep", ({ value, deep }) => {
  expect(isTooDeep(value)).toBe(deep);
});

test("arguments that cannot be written break off", () => {
  expect(argumentsText({ arguments: { a: nested(3) } })).toBe('{"a":[[[]]]}');
  expect(argumentsText({ arguments: nested(100_000) })).toBe("{");
});
