import { expect, test } from "bun:test";

import { benchAfter } from "../../../src/health/cooldowns.ts";
import { failureOf } from "../../../src/health/failure-facts.ts";
import type { Failure, FailureKind } from "../../../src/health/failure.ts";
import { withPolicy } from "../../../src/health/policy.ts";

const cooldowns = { rate_limit: 5000, server: 0, insufficient_credit: 3_600_000, unknown: 77 };

test.each<{
  what: string;
  kind: FailureKind;
  details: Partial<Failure>;
  cooldown_ms: number | null;
}>([
  { what: "a kind without a setting", kind: "timeout", details: {}, cooldown_ms: 15_000 },
  { what: "a kind with one", kind: "unknown", details: {}, cooldown_ms: 77 },
  { what: "none at all", kind: "server", details: {}, cooldown_ms: 0 },
  {
    what: "a wait the vendor named",
    kind: "rate_limit",
    details: { retry_after_ms: 900, cooldown_ms: 900 },
    cooldown_ms: 900,
  },
  {
    what: "a vendor's short wait about money",
    kind: "insufficient_credit",
    details: { retry_after_ms: 900, cooldown_ms: 600_000 },
    cooldown_ms: 3_600_000,
  },
  {
    what: "a cooldown that the circumstances chose",
    kind: "unknown",
    details: { cooldown_ms: 3 },
    cooldown_ms: 3,
  },
  { what: "a refused credential", kind: "auth", details: {}, cooldown_ms: null },
])("$what: $kind cools down for $cooldown_ms ms", ({ kind, details, cooldown_ms }) => {
  const failure = withPolicy(failureOf(kind, { reason: "r", ...details }), cooldowns);

  expect(failure.cooldown_ms).toBe(cooldown_ms);
});

test("the rate-limit ladder starts at the setting and goes on at its own rungs", () => {
  const limited = withPolicy(failureOf("rate_limit", { reason: "r" }), cooldowns);
  const first = benchAfter(null, limited, 0);
  const second = benchAfter(first, limited, 5000);

  expect([first?.until_at, second?.until_at]).toEqual([5000, 35_000]);
});
