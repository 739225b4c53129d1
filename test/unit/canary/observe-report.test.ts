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

const HOSTS = ["or:a/m@a", "or:a/m@b", "or:a/m@c"];

test.each([
  { what: "goes on failing", letters: "ffffffff", hindsight: "borne_out", wrong: 0 },
  { what: "is well from then on", letters: "ffpppppp", hindsight: "not_borne_out", wrong: 1 },
  { what: "is not seen again", letters: "ffp", hindsight: "unclear", wrong: null },
])("a host that $what: $hindsight", ({ letters, hindsight, wrong }) => {
  const report = observeReport({ ...observed(letters), live: [], endpoints: HOSTS });

  expect(report.suspensions[0]).toMatchObject({ endpoint: "or:a/m@a", hindsight });
  expect(report.wrong_ratio === null ? null : Math.floor(report.wrong_ratio)).toBe(wrong);
});

test.each([
  { what: "called as the host's answers call it", endpoint: "or:a/m@A", hindsight: "borne_out" },
  { what: "of another host", endpoint: "or:a/m@b", hindsight: "not_borne_out" },
  { what: "of nobody knows which host", endpoint: "or:a/m", hindsight: "not_borne_out" },
  {
    what: "of a name that another host goes by, too",
    endpoint: "or:a/m@a",
    endpoints: [...HOSTS, "or:a/m@a/fp8"],
    hindsight: "not_borne_out",
  },
])("bad live answers $what leave it $hindsight", ({ endpoint, endpoints = HOSTS, hindsight }) => {
  const { at, ...history } = observed("ffpppppp");
  const event = history.suspensions.find(({ kind }) => kind === "would_suspend");
  const from = event?.at ?? at;
  const live = [{ endpoint, from, to: from + 60_000, good: 20, bad: 5 }];

  const [suspension] = observeReport({ ...history, live, endpoints }).suspensions;

  const seen = hindsight === "borne_out" ? { good: 20, bad: 5 } : { good: 0, bad: 0 };
  expect(suspension).toMatchObject({ hindsight, live: seen });
});

test("where nobody would have been suspended there is nothing to be wrong about", () => {
  const report = observeReport({ ...observed("pppp"), live: [], endpoints: HOSTS });

  expect(report).toEqual({
    suspensions: [],
    counts: { borne_out: 0, not_borne_out: 0, unclear: 0 },
    wrong_ratio: null,
  });
});
