import { expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  countTokens,
  limitTokens,
  splitTokens,
} from "../../../../src/upstream/sim/speech/tokens.ts";

const anyText = fc.string({ unit: "binary", maxLength: 200 });
const join = (tokens: Iterable<string>) => [...tokens].join("");

test.each([
  { text: "one two", tokens: ["one", " two"] },
  { text: " lead and trail ", tokens: [" lead", " and", " trail", " "] },
  { text: "x".repeat(50), tokens: ["x".repeat(24), "x".repeat(24), "xx"] },
  { text: "", tokens: [] },
  { text: "a\n\nb", tokens: ["a", "\n\nb"] },
])("$text is split on word boundaries", ({ text, tokens }) => {
  expect([...splitTokens(text)]).toEqual([...tokens]);
});

test("tokens join to the text again, whatever it holds", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(join(splitTokens(text))).toBe(text);
    }),
  );
});

test("no token starts or ends inside a surrogate pair", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("😀", "a", " ", "𝒳"), maxLength: 200 }),
      (text) => {
        expect([...splitTokens(text)].every((token) => token.isWellFormed())).toBe(true);
      },
    ),
  );
});

function limited(text: string, max_tokens: number | null, stop: readonly string[] = []) {
  const tokens: string[] = [];
  const iterator = limitTokens(splitTokens(text), { max_tokens, stop });
  for (let next = iterator.next(); ; next = iterator.next()) {
    if (next.done === true) return { text: tokens.join(""), end: next.value };
    tokens.push(next.value);
  }
}

test.each([
  { max: null, stop: [], text: "one two three", end: "stop" },
  { max: 2, stop: [], text: "one two", end: "length" },
  { max: 3, stop: [], text: "one two three", end: "stop" },
  { max: null, stop: ["wo"], text: "one t", end: "stop" },
  { max: null, stop: ["ee", "x"], text: "one two thr", end: "stop" },
  { max: null, stop: ["e two t"], text: "on", end: "stop" },
  { max: 1, stop: ["two"], text: "one", end: "length" },
  { max: null, stop: ["four"], text: "one two three", end: "stop" },
])("`one two three` with max $max and stop $stop ends as $end", ({ max, stop, text, end }) => {
  expect(limited("one two three", max, stop)).toEqual({ text, end });
});

test("a stop sequence is found wherever the token boundaries lie", () => {
  fc.assert(
    fc.property(anyText, fc.string({ minLength: 1, maxLength: 6 }), (text, stop) => {
      const cut = text.indexOf(stop);
      expect(limited(text, null, [stop]).text).toBe(cut < 0 ? text : text.slice(0, cut));
    }),
  );
});

test("a token limit never lets more tokens through", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, max) => {
      const all = countTokens(text);
      expect(limited(text, max).end).toBe(all > max ? "length" : "stop");
      expect(text.startsWith(limited(text, max).text)).toBe(true);
    }),
  );
});
