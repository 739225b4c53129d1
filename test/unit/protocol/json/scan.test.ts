import { expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  arrayItems,
  memberValue,
  objectMembers,
  skipBlanks,
  textOf as spanText,
} from "../../../../src/protocol/json/scan.ts";
import { bytesOf, objectText, textOf, valueText } from "./documents.ts";

test("the members of any object are found with keys and values as they are spelled", () => {
  fc.assert(
    fc.property(objectText, ({ text, members }) => {
      const bytes = bytesOf(text);

      const found = objectMembers(bytes).map(({ key, keySpan, value }) => ({
        key,
        spelled: spanText(bytes, keySpan),
        value: spanText(bytes, value),
      }));

      const wanted = members.map(([key, value]) => ({
        key: JSON.parse(key),
        spelled: key,
        value,
      }));
      expect(found).toEqual(wanted);
    }),
  );
});

test("the items of any array are found as they are spelled", () => {
  fc.assert(
    fc.property(fc.array(valueText, { maxLength: 5 }), (items) => {
      const bytes = bytesOf(` [ ${items.join(" ,\n")} ] `);

      const found = arrayItems(bytes, skipBlanks(bytes, 0)).map((span) => spanText(bytes, span));

      expect(found).toEqual(items);
    }),
  );
});

test("the value under a repeated key is the one a parser sees", () => {
  const bytes = bytesOf(String.raw`{"a":1,"\u0061":2,"b":3,"a":[4]}`);

  const span = memberValue(objectMembers(bytes), "a");

  expect(span && spanText(bytes, span)).toBe("[4]");
  expect(memberValue(objectMembers(bytes), "absent")).toBeUndefined();
});

test.each([
  { name: "an array", text: "[1]", members: 0 },
  { name: "a string", text: '"{"', members: 0 },
  { name: "nothing", text: "", members: 0 },
  { name: "an object cut in its key", text: '{"a', members: 0 },
  { name: "an object cut in its value", text: '{"a":"b', members: 1 },
  { name: "an object cut in an escape", text: '{"a":"b\\', members: 1 },
  { name: "an object cut after a comma", text: '{"a":1,', members: 1 },
])("scanning $name ends", ({ text, members }) => {
  expect(objectMembers(bytesOf(text))).toHaveLength(members);
  expect(arrayItems(bytesOf(`[${text}`))).toBeArray();
});

test("nesting of a hundred thousand levels overflows nothing", () => {
  const levels = 100_000;
  const deep = `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const bytes = bytesOf(`{"deep":${deep},"last":1}`);

  const members = objectMembers(bytes);

  expect(members.map(({ key }) => key)).toEqual(["deep", "last"]);
  expect(members[0]?.value).toEqual({ start: 8, end: 8 + 2 * levels });
});

test.each([
  { name: "backslashes", text: "\\".repeat(2_000_000) },
  { name: "escaped quotes", text: '\\"'.repeat(1_000_000) },
  { name: "braces", text: "{[".repeat(1_000_000) },
])("a string of two million bytes of $name is passed over in one go", ({ text }) => {
  const bytes = bytesOf(`{"long":"${text}","last":1}`);

  expect(objectMembers(bytes).map(({ key }) => key)).toEqual(["long", "last"]);
});

test("a BOM inside a key belongs to the key", () => {
  expect(objectMembers(bytesOf('{"\uFEFFa":1}')).map(({ key }) => key)).toEqual(["\uFEFFa"]);
  expect(textOf(bytesOf("\uFEFF"))).toBe("\uFEFF");
});
