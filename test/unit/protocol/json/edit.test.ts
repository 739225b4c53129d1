import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { appendMember } from "../../../../src/protocol/json/append-member.ts";
import {
  applyEdits,
  changeObject,
  joinBytes,
  joinViews,
} from "../../../../src/protocol/json/edit.ts";
import { bytesOf, objectText, stringText, textOf, valueText } from "./documents.ts";

const keys = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom("model", "stream", "a", "toString"),
    stringText.map((text) => String(JSON.parse(text))),
  ),
  { maxLength: 3 },
);

test("a changed object reads as the change applied to what it read as before", () => {
  fc.assert(
    fc.property(objectText, keys, keys, valueText, ({ text }, set, remove, value) => {
      const removed = new Set(remove.filter((key) => !set.includes(key)));

      const changed = changeObject(bytesOf(text), {
        set: new Map(set.map((key) => [key, value])),
        remove: removed,
      });

      const before = new Map<string, unknown>(Object.entries(JSON.parse(text)));
      for (const key of removed) before.delete(key);
      for (const key of set) before.set(key, JSON.parse(value));
      expect(new Map(Object.entries(JSON.parse(textOf(changed))))).toEqual(before);
    }),
  );
});

test("members that are not changed keep their bytes, their order and their duplicates", () => {
  fc.assert(
    fc.property(objectText, keys, ({ text, members }, remove) => {
      const changed = changeObject(bytesOf(text), {
        set: new Map([["model", '"new"']]),
        remove: new Set(remove.filter((key) => key !== "model")),
      });

      const kept = members.filter(([key]) => {
        const name: unknown = JSON.parse(key);
        return name === "model" || !remove.some((other) => other === name);
      });
      const spelled = kept.map(([key, value]) => [
        key,
        JSON.parse(key) === "model" ? '"new"' : value,
      ]);
      const hasModel = kept.some(([key]) => JSON.parse(key) === "model");
      const withModel = hasModel ? spelled : [['"model"', '"new"'], ...spelled];
      const pattern = withModel.map(([key, value]) => `${escape(key)}\\s*:\\s*${escape(value)}`);
      expect(textOf(changed)).toMatch(
        new RegExp(`^\\s*\\{\\s*${pattern.join("\\s*,\\s*")}\\s*\\}\\s*$`, "u"),
      );
    }),
  );
});

const escape = (text: string | undefined) => RegExp.escape(text ?? "");

test.each([
  { name: "the only member", text: '{"a":1}', remove: ["a"], left: "{}" },
  { name: "the first of two", text: '{ "a":1, "b":2 }', remove: ["a"], left: '{ "b":2 }' },
  { name: "the last of two", text: '{ "a":1, "b":2 }', remove: ["b"], left: '{ "a":1 }' },
  { name: "one in the middle", text: '{"a":1,"b":2,"c":3}', remove: ["b"], left: '{"a":1,"c":3}' },
  { name: "all but the middle", text: '{"a":1,"b":2,"c":3}', remove: ["a", "c"], left: '{"b":2}' },
  { name: "both duplicates", text: '{"a":1,"b":2,"a":3}', remove: ["a"], left: '{"b":2}' },
  { name: "a key spelled in escapes", text: '{"\\u0061":1,"b":2}', remove: ["a"], left: '{"b":2}' },
  { name: "every member", text: '{"a":1 , "b":2 }', remove: ["a", "b"], left: "{ }" },
])("removing $name takes its comma along", ({ text, remove, left }) => {
  const changed = changeObject(bytesOf(text), { set: new Map(), remove: new Set(remove) });

  expect(textOf(changed)).toBe(left);
});

test("a member may be removed and another added at the same place", () => {
  const changed = changeObject(bytesOf('{"a":1}'), {
    set: new Map([
      ["b", "2"],
      ["c", "3"],
    ]),
    remove: new Set(["a"]),
  });

  expect(textOf(changed)).toBe('{"b":2,"c":3}');
});

test("a value may be given as bytes, which are not read", () => {
  const broken = Uint8Array.of(0x22, 0xff, 0x22);

  const changed = changeObject(bytesOf('{"a":1}'), {
    set: new Map([["a", broken]]),
    remove: new Set(),
  });

  expect(changed).toEqual(joinBytes([bytesOf('{"a":'), broken, bytesOf("}")]));
});

test("an appended member is read with all others, which keep their bytes", () => {
  fc.assert(
    fc.property(objectText, valueText, ({ text }, value) => {
      const appended = textOf(appendMember(bytesOf(text), "veriroute", value));

      const close = text.lastIndexOf("}");
      const body = text.slice(0, close);
      const comma = body.trim() === "{" ? "" : ",";
      expect(appended).toBe(`${body}${comma}"veriroute":${value}${text.slice(close)}`);
      expect(JSON.parse(appended)).toEqual({ ...JSON.parse(text), veriroute: JSON.parse(value) });
    }),
  );
});

test("edits are made wherever they stand, whatever their order", () => {
  const edits = [
    { start: 6, end: 7, text: "E" },
    { start: 0, end: 0, text: "<" },
    { start: 3, end: 5, text: "" },
  ];

  expect(textOf(applyEdits(bytesOf("abcdefg"), edits))).toBe("<abcfE");
});

test("joined views are what joined bytes are, and a copy only where something lies between them", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 5 }), (spans) => {
      const bytes = Uint8Array.from({ length: 16 }, (_, n) => n);
      const pieces = spans.map(([start, length]) => bytes.subarray(start, start + length));

      const joined = joinViews(pieces);

      const filled = spans.filter(([, length]) => length > 0);
      const starts = filled.slice(1).map(([start]) => start);
      const ends = filled.slice(0, -1).map(([start, length]) => start + length);
      const isCopy = filled.length === 0 || !Bun.deepEquals(starts, ends);
      expect(joined).toEqual(joinBytes(pieces));
      expect(joined.buffer === bytes.buffer).toBe(!isCopy);
    }),
  );
});
