import { expect, test } from "bun:test";

import { type Aside, Asides, harmOf } from "../../../src/relay/asides.ts";
import type { JsonResult } from "../../../src/relay/attempt-result.ts";

function aside(name: string, harm: number, { isGone = false } = {}) {
  const dropped: string[] = [];
  const answer = { bytes: new TextEncoder().encode(name), view: {}, kind: "ok" } as const;
  const result: JsonResult = { kind: "json", answer, headers: {} };
  const made: Aside = {
    harm,
    serve: () => (isGone ? null : result),
    drop: () => void dropped.push(name),
  };
  return { ...made, result, dropped };
}

test("the least harmful answer is taken, the first of equals, and the others are let go of", () => {
  const [loop, first, second] = [aside("loop", 3), aside("first", 2), aside("second", 2)];
  const asides = new Asides();
  for (const one of [loop, first, second]) asides.add(one);

  const taken = asides.takeBest();
  asides.dropAll();
  asides.dropAll();

  expect(taken).toBe(first.result);
  expect([loop, first, second].map(({ dropped }) => dropped)).toEqual([["loop"], [], ["second"]]);
});

test("an answer that can no longer be had leaves it to the next best", () => {
  const [gone, worse] = [aside("gone", 1, { isGone: true }), aside("worse", 5)];
  const asides = new Asides();
  asides.add(gone);
  asides.add(worse);

  expect(asides.takeBest()).toBe(worse.result);
});

test("nothing is nothing", () => {
  expect(new Asides().takeBest()).toBeNull();
});

test("what can be read is better than what goes nowhere, and that better than no answer", () => {
  const order = (["malformed", "leak", "degenerate", "mangled", "truncated"] as const).toSorted(
    (a, b) => harmOf(a) - harmOf(b),
  );

  expect(order).toEqual(["leak", "mangled", "degenerate", "truncated", "malformed"]);
});
