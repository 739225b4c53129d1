import { describe, expect, test } from "bun:test";

import { exclusionsOf, indexExclusions } from "../../../src/health/exclusions.ts";
import { readSubject } from "../../../src/health/scope.ts";

test.each([
  { text: "nim", value: { scope: "provider", subject: "nim", instance: "nim" } },
  {
    text: " nim:qwen3-30b ",
    value: { scope: "target", subject: "nim:qwen3-30b", instance: "nim" },
  },
  {
    text: "openrouter:z-ai/glm:free",
    value: { scope: "target", subject: "openrouter:z-ai/glm:free", instance: "openrouter" },
  },
  { text: "cf:@cf/x", value: { scope: "target", subject: "cf:@cf/x", instance: "cf" } },
])("$text names a scope", ({ text, value }) => {
  expect(readSubject(text)).toEqual({ ok: true, value });
});

test.each([
  { text: "", says: "names nothing" },
  { text: "  ", says: "names nothing" },
  { text: "nim:", says: "nothing follows" },
  { text: ":m", says: "cannot name an instance" },
  { text: "a b:m", says: "cannot name an instance" },
  { text: "nim:a\u0000b", says: "control" },
])("$text names none: $says", ({ text, says }) => {
  const read = readSubject(text);

  expect(read.ok ? "" : read.message).toContain(says);
});

const exclusion = (subject: string, until_at: number | null = null) => ({
  id: subject,
  scope: subject.includes(":") ? ("target" as const) : ("provider" as const),
  subject,
  reason: "r",
  source: "operator" as const,
  created_at: 0,
  until_at,
});

describe("exclusions of a target", () => {
  const index = indexExclusions(
    ["nim", "NIM:a", "other:a", "nim:A"].map((subject) => exclusion(subject)),
  );

  test.each([
    { target: { instance: "nim", model: "a" }, ids: ["nim", "NIM:a"] },
    { target: { instance: "Nim", model: "A" }, ids: ["nim", "nim:A"] },
    { target: { instance: "other", model: "b" }, ids: [] },
    { target: { instance: "other", model: "a" }, ids: ["other:a"] },
  ] as { target: { instance: string; model: string }; ids: string[] }[])(
    "$target falls under $ids",
    ({ target, ids }) => {
      expect(exclusionsOf(target, index, 0).map(({ id }) => id)).toEqual(ids);
    },
  );

  test("an exclusion ends when its time comes", () => {
    const timed = indexExclusions([exclusion("nim", 100)]);
    const target = { instance: "nim", model: "a" };

    expect(exclusionsOf(target, timed, 99)).toHaveLength(1);
    expect(exclusionsOf(target, timed, 100)).toEqual([]);
  });
});
