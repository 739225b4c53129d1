import { expect, test } from "bun:test";

import { FAILURE_FACTS, failureOf, retryDelay } from "../../../src/health/failure-facts.ts";
import type { FailureKind } from "../../../src/health/failure.ts";
import { ERRORS } from "../../../src/protocol/error-codes.ts";

const MINUTE = 60_000;

const rows: readonly (readonly [FailureKind, boolean, string, string, number | null, number])[] = [
  ["rate_limit", false, "yes", "target", 20_000, 429],
  ["overloaded", true, "yes", "target", 15_000, 503],
  ["insufficient_credit", false, "yes", "instance", 10 * MINUTE, 402],
  ["auth", false, "yes", "instance", null, 502],
  ["moderation", false, "on_refusal", "none", 0, 400],
  ["model_not_found", false, "yes", "target", 10 * MINUTE, 404],
  ["context_length", false, "larger_window", "none", 0, 400],
  ["request_too_large_for_tier", false, "yes", "none", 0, 429],
  ["bad_request", false, "no", "none", 0, 400],
  ["unsupported_param", false, "yes", "none", 0, 400],
  ["refusal", false, "on_refusal", "none", 0, 200],
  ["timeout", false, "yes", "target", 15_000, 504],
  ["server", true, "yes", "target", 10_000, 502],
  ["network", true, "yes", "target", 10_000, 502],
  ["bad_upstream", false, "yes", "target", 10 * MINUTE, 502],
  ["malformed_empty", false, "yes", "target", 0, 502],
  ["mangled", false, "yes", "target", 0, 502],
  ["bad_output", false, "yes", "target", 0, 502],
  ["stream_interrupted", false, "no", "target", 5000, 502],
  ["cancelled", false, "no", "none", 0, 499],
  ["router_shutdown", false, "no", "none", 0, 503],
  ["unknown", true, "yes", "target", 10_000, 502],
];

test.each(rows)(
  "%s: retry %p, fail over %s, benches %s for %p ms, ends in %d",
  (kind, ...facts) => {
    const [retry_same, fail_over, affects_health, cooldown_ms, client_status] = facts;

    expect(FAILURE_FACTS[kind]).toMatchObject({
      retry_same,
      fail_over,
      affects_health,
      cooldown_ms,
      client_status,
    });
  },
);

test("the table above names every kind", () => {
  expect(Object.keys(FAILURE_FACTS).toSorted()).toEqual(rows.map(([kind]) => kind).toSorted());
});

test("a client's status is that of its code, but for a refusal, which is passed through", () => {
  const differing = Object.entries(FAILURE_FACTS).filter(
    ([, facts]) => ERRORS[facts.client_code].status !== facts.client_status,
  );

  expect(differing.map(([kind]) => kind)).toEqual(["refusal"]);
});

test.each([
  { kind: "server", retry_after_ms: null, wants: 0 },
  { kind: "server", retry_after_ms: 30_000, wants: null },
  { kind: "overloaded", retry_after_ms: null, wants: 250 },
  { kind: "overloaded", retry_after_ms: 1000, wants: 1000 },
  { kind: "rate_limit", retry_after_ms: 1000, wants: null },
  { kind: "timeout", retry_after_ms: null, wants: null },
] as const)("$kind with a named wait of $retry_after_ms ms retries after $wants ms", (row) => {
  const failure = failureOf(row.kind, { reason: "r", retry_after_ms: row.retry_after_ms });

  expect(retryDelay(failure, () => 0.25)).toBe(row.wants);
});
