import { expect, test } from "bun:test";

import type { RoutingEvent } from "../../../src/telemetry/events.ts";
import { createEventRing } from "../../../src/telemetry/ring.ts";
import { requestEvent } from "../../support/events.ts";

const EVENT = requestEvent();

/** A ring that has seen events at 1, 2, … `count`. */
function ringAfter(count: number) {
  const ring = createEventRing();
  for (let at = 1; at <= count; at++) ring.record({ ...EVENT, at });
  return ring;
}
const instants = (events: readonly RoutingEvent[]) => events.map(({ at }) => at);
/** `newest`, `newest - 1`, … `oldest`. */
const down = (newest: number, oldest: number) =>
  Array.from({ length: newest - oldest + 1 }, (_, n) => newest - n);

test.each<{ count: number; expected: number[] }>([
  { count: 0, expected: [] },
  { count: 1, expected: [1] },
  { count: 499, expected: down(499, 1) },
  { count: 500, expected: down(500, 1) },
  { count: 501, expected: down(501, 2) },
  { count: 999, expected: down(999, 500) },
  { count: 1000, expected: down(1000, 501) },
  { count: 1001, expected: down(1001, 502) },
])("after $count events the last 500 are there, newest first", ({ count, expected }) => {
  expect(instants(ringAfter(count).newest(1000))).toEqual(expected);
});

test.each<{ limit: number; expected: number[] }>([
  { limit: 0, expected: [] },
  { limit: 1, expected: [700] },
  { limit: 3, expected: [700, 699, 698] },
])("a limit of $limit gives the newest of them", ({ limit, expected }) => {
  expect(instants(ringAfter(700).newest(limit))).toEqual(expected);
});

test("a million events leave no more than 500", () => {
  const ring = ringAfter(1_000_000);

  expect(instants(ring.newest(Infinity))).toEqual(down(1_000_000, 999_501));
});
