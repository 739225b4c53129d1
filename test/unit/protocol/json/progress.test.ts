import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { createJsonProgress } from "../../../../src/protocol/json/progress.ts";
import { objectText } from "./documents.ts";

const fed = (...pieces: string[]) => {
  const progress = createJsonProgress();
  for (const piece of pieces) progress.feed(piece);
  return progress.state();
};

test("an object is open until its last brace, however it is cut", () => {
  fc.assert(
    fc.property(objectText, fc.nat(), ({ text }, at) => {
      const whole = text.trim();
      const cut = 1 + (at % (whole.length - 1));

      expect(fed(whole.slice(0, cut))).toBe("open");
      expect(fed(whole.slice(0, cut), whole.slice(cut))).toBe("complete");
      expect(fed(...whole.split(""))).toBe("complete");
    }),
  );
});

test.each([
  { name: "nothing", pieces: [""], state: "nothing" },
  { name: "blanks", pieces: [" \r\n\t"], state: "nothing" },
  { name: "a number", pieces: ["12"], state: "complete" },
  { name: "a string", pieces: ['"a'], state: "complete" },
  { name: "a word of Python", pieces: ["None"], state: "complete" },
  { name: "a brace inside a string", pieces: ['{"a":"}'], state: "open" },
  { name: "a string cut after a backslash", pieces: ['{"a":"\\', '"}'], state: "open" },
  { name: "an escaped backslash before a quote", pieces: ['{"a":"\\\\"', "}"], state: "complete" },
  { name: "more after the end", pieces: ["{}", "{"], state: "complete" },
] as const)("$name counts as $state", ({ pieces, state }) => {
  expect(fed(...pieces)).toBe(state);
});
