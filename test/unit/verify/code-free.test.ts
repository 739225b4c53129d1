import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { CodeFilter } from "../../../src/verify/text/code-free.ts";

function filtered(...pieces: readonly string[]): string {
  let plain = "";
  const filter = new CodeFilter((piece) => {
    plain += piece;
  });
  for (const piece of pieces) filter.push(piece);
  filter.end();
  return plain;
}

test.each([
  { name: "no code", text: "a b", plain: "a b" },
  { name: "a span", text: "a `x` b", plain: "a   b" },
  { name: "a span of two marks around one", text: "a ``x`y`` b", plain: "a   b" },
  { name: "a mark that nothing closes", text: "a ` b", plain: "a ` b" },
  { name: "a span that would cross a line", text: "a `x\ny` b", plain: "a `x\ny` b" },
  { name: "a fence", text: "a\n```ts\nx\n```\nb", plain: "a\n \nb" },
  { name: "a fence of four marks", text: "a````x````b", plain: "a `b" },
  { name: "a fence at the end that is open", text: "a ```x", plain: "a  " },
  { name: "a mark at the end", text: "a `", plain: "a `" },
  { name: "a fence mark at the end", text: "a ```", plain: "a  " },
  {
    name: "a span longer than any",
    text: `\`${"x".repeat(600)}\``,
    plain: `\`${"x".repeat(600)}\``,
  },
  { name: "nothing but marks", text: "`".repeat(2), plain: "``" },
])("$name leaves $plain", ({ text, plain }) => {
  expect(filtered(text)).toBe(plain);
});

test("marks without end do not pile up", () => {
  expect(filtered(...Array.from({ length: 5_000 }, () => "`".repeat(100)))).toMatch(/^[ `]*$/);
});

test("how a text is cut changes nothing", () => {
  const part = fc.constantFrom("a", " ", "`", "``", "```", "\n", "xy", "b ".repeat(300));
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(filtered(...parts)).toBe(filtered(parts.join("")));
    }),
    { numRuns: 2_000 },
  );
});
