import { expect, test } from "bun:test";

import { signatureDocs } from "../../scripts/signature-docs.ts";
import { SIGNATURES } from "../../src/verify/signatures/table.ts";

const PAGE = "docs/signatures.md";

test("docs/signatures.md is what its generator writes", async () => {
  expect(await Bun.file(PAGE).text()).toBe(signatureDocs());
});

test("the page lists every signature, in order, with its verdict and scope, and none else", async () => {
  const text = await Bun.file(PAGE).text();
  const list = text.slice(text.indexOf("## The list"), text.indexOf("## Rules"));
  const rows = [
    ...list.matchAll(
      /^\| `(\w+)` *\| (\w+) *\| (\w+)(?:; provider if two models trip)? *\| (\w+)/gm,
    ),
  ].map((row) => row.slice(1));

  expect(rows).toEqual(
    SIGNATURES.map(({ name, verdict, trips, scope, confidence }) => [
      name,
      verdict,
      trips ? String(scope) : "never",
      confidence,
    ]),
  );
});

test.each(SIGNATURES)("$name says its rule and what it spares", ({ rule, spares }) => {
  expect(rule.length).toBeGreaterThan(20);
  expect(spares.length).toBeGreaterThan(20);
});
