import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  afterTrialStart,
  type Bench,
  benchAfter,
  benchAfterSuccess,
  isBenched,
  isFirm,
} from "../../../src/health/cooldowns.ts";
import { FAILURE_FACTS, failureOf } from "../../../src/health/failure-facts.ts";
import type { Failure, FailureKind } from "../../../src/health/failure.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NOW = 1_000_000_000;

function fail(kind: FailureKind, details: Partial<Failure> = {}): Failure {
  return failureOf(kind, { reason: "r", ...details });
}

const limited = (retry_after_ms: number) =>
  fail("rate_limit", { retry_after_ms, cooldown_ms: retry_after_ms });

function must(bench: Bench | null): Bench {
  if (bench === null) throw new Error("expected a bench");
  return bench;
}

describe("what a failure benches", () => {
  test("a server error benches its target for ten seconds", () => {
    expect(benchAfter(null, fail("server"), NOW)).toEqual({
      kind: "server",
      scope: "target",
      vendor_code: null,
      since_at: NOW,
      until_at: NOW + 10 * SECOND,
      trial_at: null,
      vendor_named: false,
      rung: 0,
    });
  });

  test.each([
    "bad_request",
    "context_length",
    "moderation",
    "cancelled",
    "refusal",
    "malformed_empty",
  ] as const)("%s benches nobody and leaves a bench as it is", (kind) => {
    const bench = benchAfter(null, fail("server"), NOW);

    expect(benchAfter(null, fail(kind), NOW)).toBeNull();
    expect(benchAfter(bench, fail(kind), NOW)).toBe(bench);
  });

  test.each([
    { kind: "insufficient_credit", scope: "instance", until_at: NOW + 10 * MINUTE },
    { kind: "auth", scope: "instance", until_at: null },
    { kind: "timeout", scope: "target", until_at: NOW + 15 * SECOND },
  ] as const)("$kind benches the $scope", ({ kind, scope, until_at }) => {
    expect(benchAfter(null, fail(kind), NOW)).toMatchObject({ scope, until_at });
  });

  test("a wait the vendor named is the bench, and firm", () => {
    const bench = must(benchAfter(null, limited(7 * SECOND), NOW));

    expect(bench).toMatchObject({ until_at: NOW + 7 * SECOND, vendor_named: true });
    expect(isFirm(bench)).toBe(true);
  });

  test.each([
    { kind: "insufficient_credit", firm: true },
    { kind: "auth", firm: true },
    { kind: "rate_limit", firm: false },
    { kind: "server", firm: false },
  ] as const)("$kind without a named wait is firm: $firm", ({ kind, firm }) => {
    expect(isFirm(must(benchAfter(null, fail(kind), NOW)))).toBe(firm);
  });
});

describe("the rate-limit ladder", () => {
  test("it climbs to five minutes while limits follow one another", () => {
    let bench: Bench | null = null;
    let now = NOW;
    const waits: number[] = [];
    for (let round = 0; round < 6; round++) {
      bench = must(benchAfter(bench, fail("rate_limit"), now));
      waits.push((bench.until_at ?? 0) - now);
      now = (bench.until_at ?? 0) + 9 * MINUTE;
    }

    expect(waits.map((wait) => wait / SECOND)).toEqual([20, 30, 60, 300, 300, 300]);
  });

  test("ten quiet minutes after the last end it starts anew", () => {
    const first = must(benchAfter(null, fail("rate_limit"), NOW));
    const at = (quiet_ms: number) => (first.until_at ?? 0) + quiet_ms;

    expect(benchAfter(first, fail("rate_limit"), at(10 * MINUTE))).toMatchObject({ rung: 1 });
    expect(benchAfter(first, fail("rate_limit"), at(10 * MINUTE + 1))).toMatchObject({ rung: 0 });
  });

  test("a burst of refusals is one step, not ten", () => {
    let bench: Bench | null = null;
    for (let echo = 0; echo < 10; echo++) bench = benchAfter(bench, fail("rate_limit"), NOW + echo);

    expect(bench).toMatchObject({ rung: 0, until_at: NOW + 9 + 20 * SECOND });
  });

  test("it remembers through a success, which ends the bench", () => {
    const first = must(benchAfter(null, fail("rate_limit"), NOW));
    const ended = benchAfterSuccess(first, { started_at: NOW + 1, now: NOW + SECOND });

    expect(isBenched(ended, NOW + SECOND)).toBe(false);
    expect(benchAfter(ended, fail("rate_limit"), NOW + MINUTE)).toMatchObject({
      until_at: NOW + MINUTE + 30 * SECOND,
    });
  });

  test("another kind starts at the bottom", () => {
    const first = benchAfter(null, fail("rate_limit"), NOW);

    expect(benchAfter(first, fail("server"), NOW + MINUTE)).toMatchObject({ rung: 0 });
  });
});

describe("two failures of one target", () => {
  test("the later end stands", () => {
    const long = benchAfter(null, fail("model_not_found"), NOW);

    expect(benchAfter(long, fail("server"), NOW + 1)).toBe(long);
    expect(benchAfter(benchAfter(null, fail("server"), NOW), fail("timeout"), NOW)).toMatchObject({
      kind: "timeout",
    });
  });

  test("a vendor's wait replaces one we guessed, even a longer one", () => {
    const guessed = benchAfter(null, fail("timeout"), NOW);

    expect(benchAfter(guessed, limited(5 * SECOND), NOW)).toMatchObject({
      kind: "rate_limit",
      until_at: NOW + 5 * SECOND,
    });
  });

  test.each([
    { what: "a named wait", firm: limited(30 * MINUTE) },
    { what: "an empty wallet", firm: fail("insufficient_credit") },
    { what: "a refused key", firm: fail("auth") },
  ])("$what is not shortened by a later, shorter one", ({ firm }) => {
    const bench = benchAfter(null, firm, NOW);

    expect(benchAfter(bench, limited(5 * SECOND), NOW + 1)).toBe(bench);
    expect(benchAfter(bench, fail("server"), NOW + 1)).toBe(bench);
  });

  test("an ended bench is no obstacle", () => {
    const ended = benchAfter(null, limited(MINUTE), NOW);

    expect(benchAfter(ended, fail("server"), NOW + 2 * MINUTE)).toMatchObject({
      kind: "server",
      until_at: NOW + 2 * MINUTE + 10 * SECOND,
    });
  });
});

describe("a refused credential", () => {
  const bench = must(benchAfter(null, fail("auth"), NOW));

  test("is benched without end, but for one trial after ten minutes", () => {
    expect(isBenched(bench, NOW + 10 * MINUTE - 1)).toBe(true);
    expect(isBenched(bench, NOW + 10 * MINUTE)).toBe(false);
  });

  test("lets a single request try", () => {
    const due = NOW + 10 * MINUTE;
    const trying = afterTrialStart(bench, due);

    expect(isBenched(trying, due)).toBe(true);
    expect(afterTrialStart(trying, due)).toBe(trying);
  });

  test("is tried at doubling distances up to a day", () => {
    let trying = bench;
    const waits: number[] = [];
    for (let trial = 0; trial < 9; trial++) {
      const due = trying.trial_at ?? 0;
      trying = must(benchAfter(afterTrialStart(trying, due), fail("auth"), due));
      waits.push(((trying.trial_at ?? 0) - due) / MINUTE);
    }

    expect(waits).toEqual([20, 40, 80, 160, 320, 640, 1280, 1440, 1440]);
  });

  test("is free again once a trial succeeds", () => {
    const due = NOW + 10 * MINUTE;

    expect(
      benchAfterSuccess(afterTrialStart(bench, due), { started_at: due, now: due + SECOND }),
    ).toBeNull();
  });
});

describe("a success", () => {
  const bench = benchAfter(null, limited(15 * SECOND), NOW);

  test("of a request that began before the failure changes nothing", () => {
    expect(benchAfterSuccess(bench, { started_at: NOW - 1, now: NOW + SECOND })).toBe(bench);
  });

  test("of one that began after it lifts the bench", () => {
    const other = benchAfter(null, fail("server"), NOW);

    expect(benchAfterSuccess(other, { started_at: NOW, now: NOW + SECOND })).toBeNull();
    expect(
      isBenched(benchAfterSuccess(bench, { started_at: NOW, now: NOW + SECOND }), NOW + SECOND),
    ).toBe(false);
  });

  test("without a bench is nothing", () => {
    expect(benchAfterSuccess(null, { started_at: NOW, now: NOW })).toBeNull();
  });
});

test("any series of failures leaves a bench that ends, but for a refused credential", () => {
  const kinds = [
    "rate_limit",
    "overloaded",
    "insufficient_credit",
    "model_not_found",
    "bad_request",
    "timeout",
    "server",
    "stream_interrupted",
  ] as const;
  const step = fc.record({
    kind: fc.constantFrom(...kinds),
    wait: fc.option(fc.integer({ min: 1000, max: 3_600_000 })),
    pause: fc.nat(20 * MINUTE),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let now = NOW;
      let bench: Bench | null = null;
      for (const { kind, wait, pause } of steps) {
        const hasClock = FAILURE_FACTS[kind].cooldown_ms !== 0;
        const named = wait !== null && hasClock ? { retry_after_ms: wait, cooldown_ms: wait } : {};
        bench = benchAfter(bench, fail(kind, named), now);
        now += pause;
      }

      expect(isBenched(bench, now + 3_600_000)).toBe(false);
    }),
  );
});
