import { expect, test } from "bun:test";

import type { ProbeResult } from "../../../../src/canary/contracts/contract.ts";
import { DAY, INTERVAL, type PlayedFleet, playFleet, told } from "./played-fleet.ts";

const LETTERS: Readonly<Record<string, ProbeResult>> = {
  p: "pass",
  f: "fail",
  i: "inconclusive",
  t: "transport",
};

/** Rounds of host `a`, one letter each, while so many others pass. */
function play(fleet: PlayedFleet, letters: string, others = 3): void {
  for (const letter of letters) {
    const rest = Array.from({ length: others }, (_, at) => [`other-${at}`, "pass"] as const);
    fleet.round({ results: { a: LETTERS[letter] ?? "pass", ...Object.fromEntries(rest) } });
  }
}

test.each<{ rounds: string; happens: string[] }>([
  { rounds: "fpfp", happens: [] },
  { rounds: "ff", happens: ["a suspended 1d"] },
  { rounds: "ftttf", happens: ["a suspended 1d"] },
  { rounds: "fif", happens: ["a suspended 1d"] },
  { rounds: "tttttttttt", happens: [] },
  { rounds: "ffpp", happens: ["a suspended 1d", "a early_restore"] },
  { rounds: "ffpfptp", happens: ["a suspended 1d", "a early_restore"] },
])("$rounds: $happens", ({ rounds, happens }) => {
  const fleet = playFleet();

  play(fleet, rounds);

  expect(told(fleet.events)).toEqual(happens);
});

test("with two hosts one that fails is alerted of once and goes on serving", () => {
  const fleet = playFleet();

  play(fleet, "ffffff", 1);

  expect(told(fleet.events)).toEqual(["a floor_alert"]);
  expect(fleet.state("a").suspended).toBeNull();
});

test("of three hosts that all fail one is suspended, and two are left", () => {
  const fleet = playFleet();

  fleet.round({ results: { c: "fail", a: "fail", b: "fail" } });
  fleet.round({ results: { c: "fail", a: "fail", b: "fail" } });

  expect(told(fleet.events)).toEqual(["a suspended 1d", "b floor_alert", "c floor_alert"]);
});

test("four incidents cost a day, three, seven and seven", () => {
  const fleet = playFleet();

  for (let incident = 0; incident < 4; incident++) play(fleet, "ffpp");

  expect(told(fleet.events).filter((event) => event.includes("suspended"))).toEqual([
    "a suspended 1d",
    "a suspended 3d",
    "a suspended 7d",
    "a suspended 7d",
  ]);
});

test("after fourteen clean days the ladder starts again", () => {
  const fleet = playFleet();

  play(fleet, "ffpp");
  const days = 14 * (DAY / INTERVAL);
  play(fleet, "p".repeat(days));
  play(fleet, "ff");

  expect(told(fleet.events)).toEqual([
    "a suspended 1d",
    "a early_restore",
    "a ladder_reset",
    "a suspended 1d",
  ]);
});

test("in observe mode nobody is suspended, and a person hears of it once", () => {
  const fleet = playFleet();

  for (let round = 0; round < 6; round++) {
    fleet.round({ mode: "observe", results: { a: "fail", b: "pass", c: "pass" } });
  }

  expect(told(fleet.events)).toEqual(Array.from({ length: 3 }, () => "a would_suspend 1d"));
  const reports = fleet.events.filter(({ kind }) => kind === "would_suspend");
  expect(reports.map(({ is_news }) => is_news)).toEqual([true, false, false]);
  expect(fleet.state("a").suspended).toBeNull();
});

test("a suspension that a person lifts leaves the rung where it was", () => {
  const fleet = playFleet();

  play(fleet, "ff");
  fleet.lift("a");
  play(fleet, "ff");

  expect(told(fleet.events)).toEqual(["a suspended 1d", "a operator_lift", "a suspended 3d"]);
});

test("a suspension that a person forgives starts the ladder again", () => {
  const fleet = playFleet();

  play(fleet, "ff");
  fleet.lift("a", true);
  play(fleet, "ff");

  expect(told(fleet.events)).toEqual(["a suspended 1d", "a operator_lift", "a suspended 1d"]);
});

test("an excluded host is no capacity", () => {
  const fleet = playFleet();

  for (let round = 0; round < 3; round++) {
    fleet.round({ results: { a: "fail", b: "pass", c: "pass" }, excluded: ["c"] });
  }

  expect(told(fleet.events)).toEqual(["a floor_alert"]);
});

test("a host that was spared is suspended as soon as enough others are back", () => {
  const fleet = playFleet();

  fleet.round({ results: { a: "fail", b: "pass" } });
  fleet.round({ results: { a: "fail", b: "pass" } });
  fleet.round({ results: { a: "transport", b: "pass", c: "pass" } });

  expect(told(fleet.events)).toEqual(["a floor_alert", "a suspended 1d"]);
});
