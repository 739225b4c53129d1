import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { applyRound } from "../../../../src/canary/ladder/apply-round.ts";
import { lift } from "../../../../src/canary/ladder/lift.ts";
import { rebuildFleet } from "../../../../src/canary/ladder/rebuild.ts";
import type { Fleet } from "../../../../src/canary/ladder/state.ts";
import { DAY, INTERVAL, type PlayedFleet, playFleet } from "./played-fleet.ts";

const HOSTS = ["a", "b", "c", "d"];
const result = fc.constantFrom("pass", "fail", "fail", "inconclusive", "transport");
const round = fc.record({
  kind: fc.constant("round" as const),
  results: fc.dictionary(fc.constantFrom(...HOSTS), result, { minKeys: 1 }),
  excluded: fc.subarray(HOSTS, { maxLength: 1 }),
  mode: fc.constantFrom("enforce", "enforce", "enforce", "observe"),
  locale: fc.constantFrom("pt", "de"),
  after: fc.constantFrom(
    INTERVAL,
    INTERVAL,
    INTERVAL,
    3 * INTERVAL,
    5 * INTERVAL,
    2 * DAY,
    16 * DAY,
  ),
});
const lifting = fc.record({
  kind: fc.constant("lift" as const),
  host: fc.constantFrom(...HOSTS),
  forgives: fc.boolean(),
});
const story = fc.array(
  fc.oneof({ weight: 9, arbitrary: round }, { weight: 1, arbitrary: lifting }),
  {
    maxLength: 60,
  },
);

type Told = typeof story extends fc.Arbitrary<infer T> ? T : never;

function play(told: Told): PlayedFleet {
  const fleet = playFleet();
  for (const step of told) {
    if (step.kind === "round") fleet.round(step);
    else if (fleet.fleet().endpoints.has(`or:a/m@${step.host}`))
      fleet.lift(step.host, step.forgives);
  }
  return fleet;
}

const plain = ({ endpoints, ...fleet }: Fleet) => ({
  ...fleet,
  endpoints: [...endpoints].toSorted(([a], [b]) => a.localeCompare(b)),
});

test("what rows give is what happened, whatever their order and however often they are there", () => {
  fc.assert(
    fc.property(story, fc.infiniteStream(fc.nat()), (told, numbers) => {
      const fleet = play(told);
      const rows = [...fleet.rows, ...fleet.rows.slice(0, 5)];
      const shuffled = rows
        .map((row) => ({ row, at: numbers.next().value ?? 0 }))
        .toSorted((left, right) => left.at - right.at)
        .map(({ row }) => row);

      const rebuilt = rebuildFleet({
        rounds: shuffled,
        suspensions: [...fleet.events, ...fleet.events],
      });

      expect(plain(rebuilt.fleet)).toEqual(plain(fleet.fleet()));
      expect(rebuilt.events).toEqual(fleet.events);
    }),
  );
});

test("what a person lifts at the instant a round ends is lifted after it", () => {
  const fleet = play([]);
  fleet.round({ results: { a: "fail", b: "pass", c: "pass" } });
  fleet.round({ results: { a: "fail", b: "pass", c: "pass" } });
  const at = fleet.now();
  const lifted = lift(fleet.fleet(), { endpoint: "or:a/m@a", at, forgives: true });
  const suspensions = lifted?.events ?? [];

  const rebuilt = rebuildFleet({ rounds: fleet.rows, suspensions });

  expect(rebuilt.fleet.endpoints.get("or:a/m@a")).toMatchObject({
    suspended: null,
    level: 0,
    fail_streak: 0,
  });
});

test("a kept fleet and the rows since give the same as all rows", () => {
  fc.assert(
    fc.property(story, story, (before, after) => {
      const whole = play([...before, ...after]);
      const kept = play(before).fleet();
      const history = { rounds: whole.rows, suspensions: whole.events };

      expect(plain(rebuildFleet(history, kept).fleet)).toEqual(plain(whole.fleet()));
    }),
  );
});

test("a round counts once, however often it is taken in, and no event has the id of another", () => {
  fc.assert(
    fc.property(story, (told) => {
      const fleet = play(told);
      const last = fleet.rows.filter(({ round_n }) => round_n === fleet.fleet().last_round_n);

      expect(applyRound(fleet.fleet(), last)).toEqual({ fleet: fleet.fleet(), events: [] });
      expect(new Set(fleet.events.map(({ id }) => id)).size).toBe(fleet.events.length);
    }),
  );
});

test("two hosts are always left, unless there were fewer or people shut them out", () => {
  fc.assert(
    fc.property(story, (told) => {
      const fleet = playFleet();
      for (const step of told) {
        if (step.kind !== "round") continue;
        const suspendedNow = fleet.round(step).filter(({ kind }) => kind === "suspended");
        const active = [...fleet.fleet().endpoints.values()].filter(
          ({ is_present, is_production, suspended }) => is_present && is_production && !suspended,
        );

        if (suspendedNow.length > 0) expect(active.length).toBeGreaterThanOrEqual(2);
      }
    }),
  );
});
