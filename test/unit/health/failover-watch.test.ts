import { expect, test } from "bun:test";

import {
  afterServed,
  type FailoverStreak,
  isPersistent,
} from "../../../src/health/failover-watch.ts";

/** How many warnings a sequence of serving targets gives; the first choice is `a` unless said. */
function warnings(served: readonly (string | { first: string | null; by: string })[]): number {
  let streak: FailoverStreak | null = null;
  let count = 0;
  for (const one of served) {
    const { first, by } = typeof one === "string" ? { first: "a", by: one } : one;
    const before: FailoverStreak | null = streak;
    streak = afterServed(before, { first_choice: first, served: by });
    if (streak !== before && isPersistent(streak)) count++;
  }
  return count;
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

test.each([
  { what: "nine failovers", served: times(9, "b"), count: 0 },
  { what: "ten failovers", served: times(10, "b"), count: 1 },
  { what: "a hundred failovers, whoever served", served: times(50, ["b", "c"]).flat(), count: 1 },
  { what: "nine, a success, nine", served: [...times(9, "b"), "a", ...times(9, "b")], count: 0 },
  { what: "ten, a success, ten", served: [...times(10, "b"), "a", ...times(10, "b")], count: 2 },
  {
    what: "another first choice between",
    served: [...times(9, "b"), { first: "c", by: "b" }, ...times(9, "b")],
    count: 0,
  },
  {
    what: "requests without a known first choice between",
    served: [...times(9, "b"), { first: null, by: "b" }, "b"],
    count: 1,
  },
])("$what: $count warnings", ({ served, count }) => {
  expect(warnings(served)).toBe(count);
});
