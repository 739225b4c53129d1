import { expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  JITTER_MS,
  MAX_AT_ONCE,
  nextRoundAt,
  pickNext,
} from "../../../../src/canary/rounds/schedule.ts";

const INTERVAL = 30 * 60_000;
const NOW = 1_000_000_000;
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("rounds are an interval apart, a minute more or less", () => {
  fc.assert(
    fc.property(random, (value) => {
      const due = nextRoundAt(
        { last_started_at: NOW, interval_ms: INTERVAL },
        NOW + 1000,
        () => value,
      );

      expect(Math.abs(due - NOW - INTERVAL)).toBeLessThanOrEqual(JITTER_MS);
    }),
  );
});

test("the first round, and one that was slept through, is due within a minute, once", () => {
  fc.assert(
    fc.property(random, fc.constantFrom(null, NOW - 9 * INTERVAL), (value, last_started_at) => {
      const due = nextRoundAt({ last_started_at, interval_ms: INTERVAL }, NOW, () => value);

      expect(due).toBeGreaterThanOrEqual(NOW);
      expect(due).toBeLessThanOrEqual(NOW + JITTER_MS);
    }),
  );
});

test("a clock that was set back puts no round off", () => {
  fc.assert(
    fc.property(random, fc.integer({ min: 1, max: 10 * 365 * 86_400_000 }), (value, ahead) => {
      const beat = { last_started_at: NOW + ahead, interval_ms: INTERVAL };

      const due = nextRoundAt(beat, NOW, () => value);

      expect(Math.abs(due - NOW - INTERVAL)).toBeLessThanOrEqual(JITTER_MS);
    }),
  );
});

test("at most four endpoints are probed at once, in order, and none twice", () => {
  const waiting = ["a", "b", "b", "c", "d", "e"].map((key) => ({ endpoint: { key } }));
  const picked = (running: readonly string[]) =>
    pickNext(waiting, new Set(running)).map(({ endpoint }) => endpoint.key);

  expect(MAX_AT_ONCE).toBe(4);
  expect(picked([])).toEqual(["a", "b", "c", "d"]);
  expect(picked(["a", "x"])).toEqual(["b", "c"]);
  expect(picked(["w", "x", "y", "z"])).toEqual([]);
});
