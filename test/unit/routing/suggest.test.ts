import { expect, test } from "bun:test";

import { suggest } from "../../../src/routing/suggest.ts";

const CROWD = Array.from({ length: 2000 }, (_, n) => `vendor-${n % 40}/family-${n}-instruct`);

test.each<{ name: string; known: string[]; nearest: string }>([
  { name: "gpt5.4", known: ["o3", "gpt-5.4"], nearest: "gpt-5.4" },
  { name: "o4", known: ["o3", "gpt-5.4"], nearest: "o3" },
  { name: "gpt5.4", known: [...CROWD, "gpt-5.4"], nearest: "gpt-5.4" },
  { name: "LLAMA-33-70b", known: [...CROWD, "llama-3.3-70b"], nearest: "llama-3.3-70b" },
  {
    name: "nemotron",
    known: [...CROWD, "nvidia/nemotron-3:free"],
    nearest: "nvidia/nemotron-3:free",
  },
])("$name is nearest to $nearest", ({ name, known, nearest }) => {
  expect(suggest(name, known)[0]).toBe(nearest);
});

test("a name that shares nothing is not suggested, however many there are", () => {
  expect(suggest("\u4f60\u597d", CROWD)).toEqual([]);
  expect(suggest("x".repeat(5000), CROWD)).toEqual([]);
});
