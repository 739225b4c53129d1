import { expect, test } from "bun:test";

import { array, assert, constant, integer, oneof, property, record } from "fast-check";

import { MAX_TIMER_MS } from "../../../../src/lib/durations.ts";
import {
  deadlineState,
  firstDeadlines,
  touched,
  unitsUsed,
  type Watched,
} from "../../../../src/runtimes/policy/deadlines.ts";
import { startTime } from "../../../../src/runtimes/policy/steady-time.ts";
import { TICK_MS } from "../../../../src/runtimes/policy/tick.ts";
import { BOOT, BOOTTIME, CREATED, HOUR, MINUTE, someLease } from "../../../support/lease.ts";
import { clocks } from "./clocks.ts";

const YEAR = 365 * 24 * HOUR;

function watched(changes: Partial<Watched> = {}): Watched {
  return { lease: someLease(), in_flight: 0, boot_id: BOOT, watched_ms: 10 * MINUTE, ...changes };
}

const busy = { in_flight: 1 };

test("both deadlines are there from the first write on", () => {
  const limits = { max_idle_ms: 45 * MINUTE, max_life_ms: 4 * HOUR };

  expect(firstDeadlines(limits, clocks().time(), BOOT)).toEqual({
    idle_minutes: 45,
    idle_deadline: CREATED + 45 * MINUTE,
    hard_deadline: CREATED + 4 * HOUR,
    hard_remaining_ms_at: { boot_id: BOOT, boottime_ms: BOOTTIME, remaining_ms: 4 * HOUR },
    last_activity_at: CREATED,
  });
  expect(
    firstDeadlines(limits, clocks({ has_boottime: false }).time(), BOOT).hard_remaining_ms_at,
  ).toBeNull();
});

test("T9: without traffic a runtime is due when its idle time is over, not before", () => {
  const clock = clocks();

  clock.pass(45 * MINUTE - 1000);
  expect(deadlineState(watched(), clock.time()).due).toBeNull();
  clock.pass(1000);
  expect(deadlineState(watched(), clock.time()).due).toBe("idle");
});

test("T9: each request that starts or ends begins the idle time anew", () => {
  const lease = someLease();
  const later = { ...lease, ...touched(lease, CREATED + HOUR) };

  expect(later).toMatchObject({
    last_activity_at: CREATED + HOUR,
    idle_deadline: CREATED + HOUR + 45 * MINUTE,
  });
  // A clock that was set back does not take activity away.
  expect(touched(later, CREATED)).toEqual({
    last_activity_at: CREATED + HOUR,
    idle_deadline: CREATED + HOUR + 45 * MINUTE,
  });
});

test("T9: an hour's stream is not idle, and nothing is idle before it is ready", () => {
  const clock = clocks();
  clock.pass(HOUR);

  expect(deadlineState(watched(busy), clock.time()).due).toBeNull();
  const starting = watched({ lease: someLease({ phase: "starting" }) });
  expect(deadlineState(starting, clock.time()).due).toBeNull();
});

test("T10: a busy runtime is due when its life is over", () => {
  const clock = clocks();
  clock.pass(4 * HOUR);

  expect(deadlineState(watched(busy), clock.time()).due).toBe("hard");
});

test("T11: eight hours of sleep are time that passed: due at the first look", () => {
  for (const has_boottime of [true, false]) {
    const clock = clocks({ has_boottime });
    clock.pass(MINUTE);
    const time = clock.sleep(8 * HOUR);

    expect(time.woke).toBe(true);
    expect(deadlineState(watched(busy), time).due).toBe("hard");
    expect(deadlineState(watched(), clock.pass(TICK_MS)).due).toBe("hard");
    expect(clock.time().woke).toBe(false);
  }
});

test("T12: a clock that is set back an hour gives no runtime an hour more", () => {
  for (const has_boottime of [true, false]) {
    const clock = clocks({ has_boottime });
    clock.pass(20 * MINUTE);
    clock.set(-HOUR);

    clock.pass(25 * MINUTE - 1000);
    expect(deadlineState(watched(), clock.time()).due).toBeNull();
    clock.pass(1000);
    expect(deadlineState(watched(), clock.time()).due).toBe("idle");
    clock.pass(3 * HOUR + 15 * MINUTE);
    expect(deadlineState(watched(busy), clock.time()).due).toBe("hard");
  }
});

test("T12: a clock set back while nobody watched is caught by the time since boot", () => {
  const before = { now: CREATED - HOUR, elapsed: 0, boottime: BOOTTIME + 4 * HOUR };

  expect(deadlineState(watched(busy), startTime(before)).due).toBe("hard");
  // After a boot that time says nothing.
  expect(deadlineState(watched({ ...busy, boot_id: "boot-2" }), startTime(before)).due).toBeNull();
});

test("T12: a clock that leaps a year ahead releases nothing at once, and everything in two minutes", () => {
  const clock = clocks();
  clock.pass(MINUTE);

  expect(deadlineState(watched(busy), clock.set(YEAR)).due).toBeNull();
  clock.pass(2 * MINUTE - TICK_MS);
  expect(deadlineState(watched(busy), clock.time()).due).toBeNull();
  clock.pass(2 * TICK_MS);
  expect(deadlineState(watched(busy), clock.time()).due).toBe("hard");
});

test("T12: a leap that is put right within two minutes leaves no trace", () => {
  const clock = clocks();
  clock.set(YEAR);
  clock.pass(MINUTE);
  clock.set(-YEAR);
  clock.pass(5 * MINUTE);

  expect(deadlineState(watched(busy), clock.time()).due).toBeNull();
  expect(clock.time()).toMatchObject({ disputed_ms: 0, now: CREATED + 6 * MINUTE + 2 });
});

test("T12: a start that finds the clock a year ahead looks for two minutes", () => {
  const reading = { now: CREATED + YEAR, elapsed: 0, boottime: BOOTTIME + MINUTE };
  const due = (more: Partial<Watched>) =>
    [0, 119_999, 120_000].map(
      (watched_ms) => deadlineState(watched({ ...more, watched_ms }), startTime(reading)).due,
    );

  expect(due(busy)).toEqual([null, null, "hard"]);
  // Nobody has used it since that start, and it is not idle for that.
  expect(due({})).toEqual([null, null, "hard"]);
  expect(due({ lease: someLease({ max_cu: 2 }) })).toEqual([null, null, "max_cu"]);
});

test("T12: a start that finds the clock set back counts the compute units of the time since boot", () => {
  const reading = { now: CREATED - HOUR, elapsed: 0, boottime: BOOTTIME + 2 * HOUR };
  const lease = someLease({ max_cu: 2 });

  expect(deadlineState(watched({ lease }), startTime(reading)).due).toBe("max_cu");
});

test("T9: after the clock was set back a runtime that was used just now is not idle", () => {
  const now = CREATED - HOUR;
  const reading = { now, elapsed: 0, boottime: BOOTTIME + HOUR };
  const lease = someLease({ last_activity_at: now, idle_deadline: now + 45 * MINUTE });

  expect(deadlineState(watched({ lease }), startTime(reading)).due).toBeNull();
});

test("T24: the compute units that a runtime may use come before its other limits", () => {
  const lease = someLease({ max_cu: 1.19, idle_deadline: CREATED, hard_deadline: CREATED });
  const clock = clocks();
  clock.pass(HOUR - 1000);

  expect(deadlineState(watched({ lease }), clock.time()).due).toBe("hard");
  clock.pass(1000);
  expect(deadlineState(watched({ lease }), clock.time()).due).toBe("max_cu");
  expect(unitsUsed(lease, clock.time().now)).toBeCloseTo(1.19, 9);
  expect(unitsUsed({ ...lease, rate: { ...lease.rate, cu_h: null } }, clock.time().now)).toBeNull();
});

test("no timer is set to a deadline: the tick is far below what a timer takes", () => {
  expect(TICK_MS).toBeLessThanOrEqual(15_000);
  expect(TICK_MS).toBeLessThan(MAX_TIMER_MS);
});

test("whatever is done to the wall clock, no runtime outlives its hours by more than two minutes", () => {
  const step = oneof(
    record({ kind: constant("pass" as const), ms: integer({ min: 1, max: 3 * HOUR }) }),
    record({ kind: constant("sleep" as const), ms: integer({ min: 1, max: 5 * HOUR }) }),
    record({ kind: constant("set" as const), ms: integer({ min: -YEAR, max: YEAR }) }),
  );
  assert(
    property(array(step, { maxLength: 20 }), (steps) => {
      const clock = clocks();
      let lived = 0;
      for (const { kind, ms } of steps) {
        clock[kind](ms);
        lived += kind === "set" ? 1 : ms;
        const { due } = deadlineState(watched(busy), clock.time());
        if (due !== null) break;
        expect(lived).toBeLessThan(4 * HOUR);
      }
    }),
    { numRuns: 500 },
  );
});
