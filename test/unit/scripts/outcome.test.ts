import { expect, test } from "bun:test";

import { closingLines, countsOf, type Outcome } from "../../../scripts/lib/outcome.ts";

/** Output of `bun test`, with the lines of its summary given. */
const output = (summary: string, before = "") =>
  `${before}\n 99 pass\n printed by a test\n\n --seed=5\n${summary}\n 7 expect() calls\nRan 9 tests across 2 files. [6.00ms]\n`;

const clean: Outcome = { name: "tests", passed: 3, failed: 0, skipped: 0, skips: [] };

test.each<{ what: string; summary: string; code: number | null; counts: Partial<Outcome> }>([
  { what: "all pass", summary: " 3 pass\n 0 fail", code: 0, counts: {} },
  { what: "some fail", summary: " 3 pass\n 2 fail", code: 1, counts: { failed: 2 } },
  {
    what: "some are skipped or to do",
    summary: " 3 pass\n 1 skip\n 1 todo\n 0 fail",
    code: 0,
    counts: { skipped: 2 },
  },
  {
    what: "a file does not load",
    summary: " 3 pass\n 1 fail\n 1 error",
    code: 1,
    counts: { failed: 1 },
  },
  {
    what: "the run crashes after its tests",
    summary: " 3 pass\n 0 fail",
    code: 139,
    counts: { failed: 1 },
  },
  { what: "a signal ends the run", summary: "", code: null, counts: { passed: 0, failed: 1 } },
  {
    what: "nothing is run",
    summary: " 0 pass\n 0 fail",
    code: 0,
    counts: { passed: 0, failed: 1 },
  },
])("bun's summary is read where $what", ({ summary, code, counts }) => {
  expect(countsOf("tests", output(summary), code)).toEqual({ ...clean, ...counts });
});

test("each reason to skip is kept once", () => {
  const before = "skip: wrk: apt-get install wrk\nskip: wrk: apt-get install wrk\nno skip: x";

  expect(countsOf("tests", output(" 3 pass\n 0 fail", before), 0).skips).toEqual([
    "skip: wrk: apt-get install wrk",
  ]);
});

const outcomes: readonly Outcome[] = [
  { ...clean, name: "lint", passed: 0, failed: 1 },
  { ...clean, skipped: 2, skips: ["skip: wrk: apt-get install wrk"] },
];

test("the last line counts what passed and failed, and skips in neither", () => {
  expect(closingLines(outcomes, false)).toEqual({
    failed: 1,
    lines: ["skip: wrk: apt-get install wrk", "failed: lint (1)", "veriroute: 3 passed, 1 failed"],
  });
});

test("where everything must run a skip is a failure", () => {
  expect(closingLines(outcomes, true)).toEqual({
    failed: 3,
    lines: [
      "skip: wrk: apt-get install wrk",
      "failed: lint (1)",
      "failed: tests (2 skipped)",
      "veriroute: 3 passed, 3 failed",
    ],
  });
});
