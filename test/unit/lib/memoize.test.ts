import { expect, test } from "bun:test";

import { memoizeRecent } from "../../../src/lib/memoize.ts";

test("a value is made once, until more names than are kept have come since", () => {
  const made: string[] = [];
  const lengthOf = memoizeRecent((name) => made.push(name) && name.length, 2);

  expect(["a", "bb", "a", "ccc", "bb", "a"].map(lengthOf)).toEqual([1, 2, 1, 3, 2, 1]);
  expect(made).toEqual(["a", "bb", "ccc", "a"]);
});
