import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { findTailLoop } from "../../../src/verify/text/tail-loop.ts";
import {
  boundShare,
  distinctShare,
  endsInWords,
  lastWords,
} from "../../../src/verify/text/word-run.ts";

test.each([
  {
    name: "a word",
    text: `Well. ${"very ".repeat(100)}`,
    loop: { period: 5, repeats: 100, length: 501 },
  },
  {
    name: "one character",
    text: `Love ${"!".repeat(300)}`,
    loop: { period: 1, repeats: 300, length: 300 },
  },
  {
    name: "too few repeats",
    text: "I am a sentence of fifty characters, more or less. ".repeat(4),
    loop: null,
  },
  { name: "too short", text: "ha ".repeat(60), loop: null },
  {
    name: "lines that differ in a number",
    text: Array.from({ length: 60 }, (_, n) => `row ${n}\n`).join(""),
    loop: null,
  },
  { name: "an end after the loop", text: `${"very ".repeat(100)}and so on.`, loop: null },
  { name: "nothing", text: "", loop: null },
])("$name loops as $loop", ({ text, loop }) => {
  expect(findTailLoop(text)).toEqual(loop);
});

test("any unit repeated often enough is found whatever stands before it", () => {
  const unit = fc.string({ minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(
      fc.string({ maxLength: 300 }),
      unit,
      fc.integer({ min: 6, max: 12 }),
      (before, one, extra) => {
        const repeats = Math.ceil(240 / one.length) + extra;
        const loop = findTailLoop(before + one.repeat(repeats));

        expect(loop).not.toBeNull();
        expect(one.length % (loop?.period ?? 0)).toBe(0);
      },
    ),
  );
});

const SALAD = Array.from(
  { length: 200 },
  (_, n) =>
    `word${"abcdefghij"[n % 10]}${"klmnopqrst"[Math.floor(n / 10) % 10]}${n > 99 ? "x" : "y"}`,
).join(" ");

test.each([
  {
    name: "unrelated words",
    text: `A sentence. ${SALAD}`,
    run: { words: 200, distinct: 1, bound: 0 },
  },
  {
    name: "a last full stop",
    text: `A sentence. ${SALAD}.`,
    run: { words: 200, distinct: 1, bound: 0 },
  },
  { name: "prose", text: "It was late, and the sun went down over the hill", run: { words: 8 } },
  { name: "lines", text: "one\ntwo\nthree", run: { words: 1 } },
  { name: "nothing", text: "", run: { words: 0 } },
])("the last run of $name", ({ text, run }) => {
  const words = lastWords(text);

  expect({
    words: words.length,
    distinct: distinctShare(words),
    bound: boundShare(words),
  }).toMatchObject(run);
});

test("a run of words is never denied, so that its length may be asked first", () => {
  const piece = fc.constantFrom(
    "a",
    "don't",
    "ice-cream",
    "é",
    " ",
    "  ",
    "\n",
    ". ",
    "…",
    "3",
    "!",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join(" ");
      const words = lastWords(text).length;

      expect(endsInWords(text, 2 * words - 1)).toBe(true);
    }),
  );
});
