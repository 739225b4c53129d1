import { expect, test } from "bun:test";

import { suspensionsInForce } from "../../../../src/canary/ladder/in-force.ts";
import { DAY, INTERVAL, type PlayedFleet, playFleet, told } from "./played-fleet.ts";

const others = { b: "pass", c: "pass", d: "pass" } as const;

/** A fleet whose host `a` has just been suspended for a day. */
function suspended(): PlayedFleet {
  const fleet = playFleet();
  fleet.round({ results: { a: "fail", ...others } });
  fleet.round({ results: { a: "fail", ...others } });
  return fleet;
}

test("a failing round says what was found and has its language asked again", () => {
  const fleet = playFleet();

  fleet.round({ results: { a: "fail", ...others }, locale: "pt" });

  expect(fleet.state("a")).toMatchObject({
    fail_streak: 1,
    clean_streak: 0,
    repeat_locale: "pt",
    last_fault: "language: code_mixing (pt, es)",
    last_bad_at: fleet.now(),
  });
});

test.each(["inconclusive", "transport"] as const)("a round that is %s moves nothing", (result) => {
  const fleet = playFleet();
  fleet.round({ results: { a: "fail", ...others } });
  const before = fleet.state("a");

  fleet.round({ results: { a: result, ...others } });

  expect(fleet.state("a")).toEqual({ ...before, last_seen_at: fleet.now() });
});

test("the language that failed is no longer asked first once it passes, and not before", () => {
  const fleet = playFleet();
  fleet.round({ results: { a: "fail", ...others }, locale: "pt" });

  fleet.round({ results: { a: "pass", ...others }, locale: "de" });
  expect(fleet.state("a").repeat_locale).toBe("pt");

  fleet.round({ results: { a: "pass", ...others }, locale: "pt" });
  expect(fleet.state("a").repeat_locale).toBeNull();
});

test("failing on while suspended neither lengthens the suspension nor restores", () => {
  const fleet = suspended();
  const until = fleet.state("a").suspended?.until_at;

  for (const result of ["fail", "pass", "fail", "fail", "transport"] as const) {
    fleet.round({ results: { a: result, ...others } });
  }

  expect(fleet.state("a")).toMatchObject({ suspended: { until_at: until }, fail_streak: 0 });
  expect(told(fleet.events)).toEqual(["a suspended 1d"]);
});

test("a suspension ends by its clock, at the instant it said", () => {
  const fleet = suspended();
  const until = fleet.state("a").suspended?.until_at ?? 0;

  fleet.round({ results: { a: "transport", ...others }, after: DAY + 1 });

  expect(fleet.state("a")).toMatchObject({ suspended: null, level: 1, fail_streak: 0 });
  expect(fleet.events.at(-1)).toMatchObject({ kind: "expired", at: until });
});

test("only `enforce` keeps traffic away, and only until the suspension ends", () => {
  const fleet = suspended();
  const force = (mode: "observe" | "enforce", later: number) =>
    suspensionsInForce(fleet.fleet(), mode, fleet.now() + later).map(({ host }) => host);

  expect(force("enforce", 0)).toEqual(["a"]);
  expect(force("enforce", DAY)).toEqual([]);
  expect(force("observe", 0)).toEqual([]);
});

test("a machine that slept has no rounds in a row", () => {
  const fleet = playFleet();
  fleet.round({ results: { a: "fail", ...others } });

  fleet.round({ results: { a: "fail", ...others }, after: 3 * 60 * 60_000 });
  expect(told(fleet.events)).toEqual([]);

  fleet.round({ results: { a: "fail", ...others } });
  expect(told(fleet.events)).toEqual(["a suspended 1d"]);
});

test("a host that was gone for hours has no rounds in a row", () => {
  const fleet = playFleet();
  fleet.round({ results: { a: "fail", ...others } });
  for (let round = 0; round < 6; round++) fleet.round({ results: others });

  fleet.round({ results: { a: "fail", ...others } });
  expect(told(fleet.events)).toEqual([]);

  fleet.round({ results: { a: "fail", ...others } });
  expect(told(fleet.events)).toEqual(["a suspended 1d"]);
});

test("a host that was missing once was not gone", () => {
  const fleet = playFleet();
  fleet.round({ results: { a: "fail", ...others } });
  fleet.round({ results: others });
  fleet.round({ results: { a: "fail", ...others } });

  expect(told(fleet.events)).toEqual(["a suspended 1d"]);
});

test("one missed round is no sleep", () => {
  const fleet = playFleet();
  fleet.round({ results: { a: "fail", ...others } });
  fleet.round({ results: { a: "fail", ...others }, after: 2 * INTERVAL });

  expect(told(fleet.events)).toEqual(["a suspended 1d"]);
});

test("who comes and goes is recorded, and a host that is gone keeps its suspension", () => {
  const fleet = suspended();

  fleet.round({ results: others });
  fleet.round({ results: others });
  expect(fleet.state("a")).toMatchObject({ is_present: false, level: 1 });
  expect(fleet.state("a").suspended).not.toBeNull();

  fleet.round({ results: { a: "pass", ...others } });
  const moves = fleet.events.filter(({ kind, host }) => host === "a" && !kind.includes("suspend"));
  expect(moves.map(({ kind }) => kind)).toEqual(["appeared", "vanished", "appeared"]);
});

test("a host that has been gone for thirty days is forgotten", () => {
  const fleet = suspended();

  fleet.round({ results: others });
  fleet.round({ results: others, after: 30 * DAY });

  expect([...fleet.fleet().endpoints.keys()].some((key) => key.endsWith("@a"))).toBe(false);
});

test("an excluded host is probed on, but not suspended on top", () => {
  const fleet = playFleet();

  for (let round = 0; round < 3; round++) {
    fleet.round({ results: { a: "fail", ...others }, excluded: ["a"] });
  }
  expect(fleet.state("a")).toMatchObject({ suspended: null, fail_streak: 3 });

  fleet.round({ results: { a: "inconclusive", ...others } });
  expect(told(fleet.events)).toEqual(["a suspended 1d"]);
});

test("fourteen days of silence are not fourteen clean days", () => {
  const fleet = suspended();

  fleet.round({ results: { a: "transport", ...others }, after: 20 * DAY });
  expect(fleet.state("a").level).toBe(1);

  fleet.round({ results: { a: "pass", ...others } });
  fleet.round({ results: { a: "pass", ...others } });
  expect(fleet.state("a").level).toBe(0);
});

test("what observe reports says where the floor would have held a host back", () => {
  const fleet = playFleet();
  fleet.round({ mode: "observe", results: { a: "fail", b: "pass" } });
  fleet.round({ mode: "observe", results: { a: "fail", b: "pass" } });

  expect(fleet.events.at(-1)).toMatchObject({
    kind: "would_suspend",
    detail: "language: code_mixing (pt, es); too few others would be left",
  });
});

test("a host that was spared and passes is alerted of anew when it fails again", () => {
  const fleet = playFleet();
  for (const a of ["fail", "fail", "fail", "pass", "fail", "fail"] as const) {
    fleet.round({ results: { a, b: "pass" } });
  }

  expect(told(fleet.events)).toEqual(["a floor_alert", "a floor_alert"]);
});
