import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import {
  afterAnswer,
  afterFailure,
  afterSuccess,
  type Breaker,
  type BreakerPolicy,
  CLOSED,
  openTrip,
  restoreTrip,
  type Trip,
  tripState,
} from "../../../src/health/breaker.ts";
import { FAILURE_FACTS, failureOf } from "../../../src/health/failure-facts.ts";
import type { FailureKind } from "../../../src/health/failure.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NOW = 1_000_000_000_000;
const target = { instance: "a", model: "m" };
const policy: BreakerPolicy = {
  consecutive: 5,
  ratio: 0.5,
  min_calls: 10,
  window_ms: MINUTE,
  base_ms: MINUTE,
  cap_ms: 15 * MINUTE,
};

/** Chance in the middle of its range, which adds nothing. */
const random = () => 0.5;

const fail = (breaker: Breaker, kind: FailureKind, now: number, started_at = now) =>
  afterFailure(breaker, failureOf(kind, { reason: "r" }), {
    target,
    started_at,
    now,
    random,
    policy,
  });
const succeed = (breaker: Breaker, now: number, started_at = now) =>
  afterSuccess(breaker, { started_at, now, policy });

/** Replays calls one a second: a kind fails, `ok` succeeds. */
function replay(calls: readonly (FailureKind | "ok")[], every_ms = SECOND): Breaker {
  return calls.reduce<Breaker>((breaker, kind, index) => {
    const now = NOW + index * every_ms;
    return kind === "ok" ? succeed(breaker, now) : fail(breaker, kind, now);
  }, CLOSED);
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

function must(trip: Trip | null): Trip {
  if (trip === null) throw new Error("expected an open breaker");
  return trip;
}

const opened = (): Breaker => replay(times(5, "server"));

describe("opening", () => {
  test.each<{ what: string; calls: (FailureKind | "ok")[]; detail: string | null }>([
    { what: "four failures in a row", calls: times(4, "server"), detail: null },
    {
      what: "five failures in a row",
      calls: times(5, "timeout"),
      detail: "5 failures in a row, the last one timeout",
    },
    {
      what: "five failures with a success between",
      calls: ["server", "server", "ok", "server", "server", "server"],
      detail: null,
    },
    {
      what: "half of nine calls",
      calls: ["server", "ok", "server", "ok", "server", "ok", "server", "ok", "server"],
      detail: null,
    },
    {
      what: "half of ten calls",
      calls: ["ok", "server", "ok", "server", "ok", "server", "ok", "server", "ok", "server"],
      detail: "5 of 10 calls failed within 60 s, the last one server",
    },
    {
      what: "broken streams, which count half",
      calls: times(9, "stream_interrupted"),
      detail: null,
    },
    {
      what: "ten broken streams",
      calls: times(10, "stream_interrupted"),
      detail: "5 failures in a row, the last one stream_interrupted",
    },
    {
      what: "a rate limit between, which only a living upstream gives",
      calls: ["network", "network", "network", "network", "rate_limit", "network"],
      detail: null,
    },
    {
      what: "a client's fault between, which says nothing",
      calls: ["network", "network", "network", "network", "bad_request", "network"],
      detail: "5 failures in a row, the last one network",
    },
  ])("$what: $detail", ({ calls, detail }) => {
    expect(replay(calls).trip?.detail ?? null).toBe(detail);
  });

  test("calls that are too long ago no longer count", () => {
    const calls = times(5, ["ok", "server"] as const).flat();

    expect(replay(calls, 20 * SECOND).trip).toBeNull();
    expect(replay(calls, 5 * SECOND).trip).not.toBeNull();
  });

  test("a deadline of ours does not count, whatever its kind", () => {
    const ours = failureOf("timeout", { reason: "deadline", affects_health: "none" });
    let breaker = CLOSED;
    for (let n = 0; n < 50; n++) {
      breaker = afterFailure(breaker, ours, { target, started_at: NOW, now: NOW, random, policy });
    }

    expect(breaker).toEqual(CLOSED);
  });

  test.each([
    "moderation",
    "context_length",
    "request_too_large_for_tier",
    "bad_request",
    "unsupported_param",
    "refusal",
    "cancelled",
    "router_shutdown",
    "rate_limit",
    "insufficient_credit",
    "auth",
    "model_not_found",
    "malformed_empty",
  ] satisfies FailureKind[])("a thousand times %s opens nothing", (kind) => {
    expect(replay(times(1000, kind), 1).trip).toBeNull();
  });

  test("what the caller causes leaves no trace, however it is mixed in", () => {
    const caused = new Set(
      Object.entries(FAILURE_FACTS).flatMap(([kind, { affects_health }]) =>
        affects_health === "none" ? [kind] : [],
      ),
    );
    const any = fc.constantFrom(...Object.keys(FAILURE_FACTS), "ok");
    fc.assert(
      fc.property(fc.array(any), (calls) => {
        const known = calls.filter((call): call is FailureKind | "ok" => call in KINDS);
        const without = known.filter((call) => !caused.has(call));

        expect(replay(known, 0)).toEqual(replay(without, 0));
      }),
    );
  });
});

const KINDS: Readonly<Record<string, unknown>> = { ...FAILURE_FACTS, ok: null };

describe("benching", () => {
  test("the first bench lasts a minute, each failed trial doubles it, up to a quarter of an hour", () => {
    let breaker = opened();
    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      const { opened_at, until_at } = must(breaker.trip);
      waits.push((until_at - opened_at) / MINUTE);
      breaker = fail(breaker, "server", until_at);
    }

    expect(waits).toEqual([1, 2, 4, 8, 15, 15, 15]);
    expect(breaker.trip).toMatchObject({ detail: "its trial failed: server", reopened: 7 });
  });

  test.each([
    { chance: 0, minutes: 0.9 },
    { chance: 0.5, minutes: 1 },
    { chance: 0.999_999, minutes: 1.1 },
  ])("chance of $chance makes it $minutes minutes", ({ chance, minutes }) => {
    const opening = { scope: "target", subject: "a:m", cause: "c", detail: "d" } as const;
    const trip = openTrip(opening, policy, { now: NOW, random: () => chance });

    expect((trip.until_at - NOW) / MINUTE).toBeCloseTo(minutes, 4);
  });

  test("it is open until its time, then half open", () => {
    const trip = must(opened().trip);

    expect(tripState(trip, trip.until_at - 1)).toBe("open");
    expect(tripState(trip, trip.until_at)).toBe("half_open");
  });

  test("a call that began before the trial changes nothing when it fails", () => {
    const breaker = opened();
    const { opened_at, until_at } = must(breaker.trip);

    expect(fail(breaker, "server", until_at + 1, opened_at - 1)).toBe(breaker);
    expect(fail(breaker, "server", until_at + 1, until_at - 1)).toBe(breaker);
  });
});

describe("closing", () => {
  test("one success closes it, and what happened before is forgotten", () => {
    const breaker = opened();
    const { until_at } = must(breaker.trip);

    const closed = succeed(breaker, until_at + SECOND, until_at);

    expect(closed).toEqual(CLOSED);
    expect(fail(closed, "server", until_at + 2 * SECOND).trip).toBeNull();
  });

  test("a success that began before it opened does not close it", () => {
    const breaker = opened();
    const { opened_at } = must(breaker.trip);

    expect(succeed(breaker, opened_at + MINUTE, opened_at - 1)).toBe(breaker);
    expect(afterAnswer(breaker, { started_at: opened_at - 1 })).toBe(breaker);
  });

  test("a last resort that succeeds early closes it too", () => {
    const breaker = opened();
    const { opened_at } = must(breaker.trip);

    expect(succeed(breaker, opened_at + SECOND, opened_at + 1)).toEqual(CLOSED);
  });

  test.each(["rate_limit", "insufficient_credit", "auth", "model_not_found"] as const)(
    "a trial that meets %s closes it: another bench knows better",
    (kind) => {
      const breaker = opened();

      expect(fail(breaker, kind, must(breaker.trip).until_at)).toEqual(CLOSED);
    },
  );

  test.each(["bad_request", "cancelled", "malformed_empty"] as const)(
    "a trial that ends with %s leaves it half open",
    (kind) => {
      const breaker = opened();

      expect(fail(breaker, kind, must(breaker.trip).until_at)).toBe(breaker);
    },
  );
});

test("a trip found in the store is no longer than the cap allows, nor from the future", () => {
  const trip = { ...must(opened().trip), opened_at: NOW + MINUTE, until_at: NOW + 1000 * MINUTE };

  expect(restoreTrip(trip, policy, NOW)).toEqual({
    ...trip,
    opened_at: NOW,
    until_at: NOW + 16.5 * MINUTE,
  });
});
