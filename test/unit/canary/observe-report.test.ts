import { expect, test } from "bun:test";

import type { ProbeResult } from "../../../src/canary/contracts/contract.ts";
import { observeReport } from "../../../src/canary/observe-report.ts";
import { playFleet } from "./ladder/played-fleet.ts";

/** Rounds of one host in observe mode, a letter each, beside two that are well. */
function observed(letters: string) {
  const fleet = playFleet();
  for (const letter of letters) {
    const a: ProbeResult = letter === "f" ? "fail" : "pass";
    fleet.round({ mode: "observe", results: { a, b: "pass", c: "pass" } });
  }
  return { rounds: fleet.rows, suspensions: fleet.events, at: fleet.events.at(-1)?.at ?? 0 };
}

test.each([
  { what: "goes on failing", letters: "ffffffff", hindsight: "borne_out", wrong: 0 },
  { what: "is well from then on", letters: "ffpppppp", hindsight: "not_borne_out", wrong: 1 },
  { what: "is not seen again", letters: "ffp", hindsight: "unclear", wrong: null },
])("a host that $what: $hindsight", ({ letters, hindsight, wrong }) => {
  const report = observeReport({ ...observed(letters), live: [] });

  expect(report.suspensions[0]).toMatchObject({ endpoint: "or:a/m@a", hindsight });
  expect(report.wrong_ratio === null ? null : Math.floor(report.wrong_ratio)).toBe(wrong);
});

test("bad live answers bear a suspension out that no later round does", () => {
  const { at, ...history } = observed("ffpppppp");
  const event = history.suspensions.find(({ kind }) => kind === "would_suspend");
  const from = event?.at ?? at;
  const live = [{ endpoint: "or:a/m@a", from, to: from + 60_000, good: 20, bad: 5 }];

  const report = observeReport({ ...history, live });

  expect(report.suspensions[0]).toMatchObject({
    hindsight: "borne_out",
    live: { good: 20, bad: 5 },
  });
  expect(report.counts).toEqual({ borne_out: 1, not_borne_out: 0, unclear: 0 });
});

test("where nobody would have been suspended there is nothing to be wrong about", () => {
  const report = observeReport({ ...observed("pppp"), live: [] });

  expect(report).toEqual({
    suspensions: [],
    counts: { borne_out: 0, not_borne_out: 0, unclear: 0 },
    wrong_ratio: null,
  });
});
