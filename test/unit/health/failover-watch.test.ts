import { expect, test } from "bun:test";

import {
  afterServed,
  type FailoverStreak,
  isPersistent,
} from "../../../src/health/failover-watch.ts";

const fit = (target: string) => ({ target, eligible: true, reasons: [] });
const out = (target: string, layer: number) => ({ target, eligible: false, reasons: [{ layer }] });

const AB = [fit("a"), fit("b")];
const BENCHED = [fit("b"), out("a", 6)];
const TRIPPED = [fit("b"), out("a", 5)];
const EXCLUDED = [fit("b"), out("a", 2)];

type Request = readonly [plan: typeof AB | typeof BENCHED, served: string];

/** How many warnings the requests of a pool give. */
function warnings(requests: readonly Request[]): number {
  let streak: FailoverStreak | null = null;
  let count = 0;
  for (const [plan, served] of requests) {
    streak = afterServed(streak, plan, served);
    if (streak !== null && isPersistent(streak)) count++;
  }
  return count;
}

const times = (count: number, ...requests: Request[]): Request[] =>
  Array.from({ length: count }, () => requests).flat();

test.each<{ what: string; requests: Request[]; count: number }>([
  { what: "nine failovers", requests: times(9, [AB, "b"]), count: 0 },
  { what: "ten failovers", requests: times(10, [AB, "b"]), count: 1 },
  { what: "a hundred failovers", requests: times(100, [AB, "b"]), count: 1 },
  {
    what: "one failover, and then a bench that lasts",
    requests: [[AB, "b"], ...times(5, [BENCHED, "b"], [TRIPPED, "b"])],
    count: 1,
  },
  {
    what: "nine, a success, nine",
    requests: [...times(9, [AB, "b"]), [AB, "a"], ...times(9, [AB, "b"])],
    count: 0,
  },
  {
    what: "ten, a success, ten",
    requests: [...times(10, [AB, "b"]), [AB, "a"], ...times(10, [AB, "b"])],
    count: 2,
  },
  {
    what: "a first choice that an operator shut out",
    requests: [[AB, "a"], ...times(20, [EXCLUDED, "b"])],
    count: 0,
  },
  {
    what: "a second choice that is benched",
    requests: times(20, [[fit("a"), out("b", 6)], "a"]),
    count: 0,
  },
  {
    what: "turns that go round a broken member",
    requests: times(20, [[fit("b"), fit("c"), fit("a")], "b"], [[fit("a"), fit("b")], "b"]),
    count: 0,
  },
])("$what: $count warnings", ({ requests, count }) => {
  expect(warnings(requests)).toBe(count);
});
