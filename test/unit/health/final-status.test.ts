import { describe, expect, test } from "bun:test";

import { type Bench, benchAfter } from "../../../src/health/cooldowns.ts";
import { failureOf } from "../../../src/health/failure-facts.ts";
import type { Failure, FailureKind } from "../../../src/health/failure.ts";
import { finalStatus } from "../../../src/health/final-status.ts";

const NOW = 1_000_000_000;

const fail = (kind: FailureKind, wait: number | null = null): Failure =>
  failureOf(kind, {
    reason: "r",
    ...(wait !== null && { retry_after_ms: wait, cooldown_ms: wait }),
  });

function bench(kind: FailureKind, wait: number | null = null): Bench {
  const made = benchAfter(null, fail(kind, wait), NOW);
  if (made === null) throw new Error(`${kind} benches nobody`);
  return made;
}

interface Row {
  readonly when: string;
  readonly failures?: readonly Failure[];
  readonly benched?: readonly Bench[];
  readonly larger_window_left?: boolean;
  readonly wants: ReturnType<typeof finalStatus>;
}

const never = { retry_after_ms: null, should_retry: false };

describe("the final status", () => {
  test.each<Row>([
    {
      when: "every account is empty",
      failures: [fail("insufficient_credit")],
      benched: [bench("insufficient_credit")],
      wants: { code: "insufficient_credits", status: 402, ...never },
    },
    {
      when: "everything is rate limited, one soon free",
      failures: [fail("rate_limit", 30_000)],
      benched: [bench("rate_limit", 30_000), bench("rate_limit", 12_000)],
      wants: {
        code: "rate_limit_exceeded",
        status: 429,
        retry_after_ms: 12_000,
        should_retry: true,
      },
    },
    {
      when: "everything cools down for a rate limit and nothing was tried",
      benched: [bench("rate_limit")],
      wants: {
        code: "rate_limit_exceeded",
        status: 429,
        retry_after_ms: 20_000,
        should_retry: true,
      },
    },
    {
      when: "the limit lasts longer than SDKs wait",
      failures: [fail("rate_limit", 61_000)],
      wants: {
        code: "rate_limit_exceeded",
        status: 429,
        retry_after_ms: 61_000,
        should_retry: false,
      },
    },
    {
      when: "a rate limit names no wait and its bench is not known",
      failures: [fail("rate_limit")],
      wants: {
        code: "rate_limit_exceeded",
        status: 429,
        retry_after_ms: 20_000,
        should_retry: true,
      },
    },
    {
      when: "the prompt was too long somewhere and other trouble came after it",
      failures: [fail("context_length"), fail("server")],
      wants: { code: "context_length_exceeded", status: 400, ...never },
    },
    {
      when: "the prompt was too long but a larger window was left",
      failures: [fail("context_length"), fail("server")],
      larger_window_left: true,
      wants: { code: "upstream_error", status: 502, ...never },
    },
    {
      when: "nobody has the model",
      failures: [fail("model_not_found"), fail("model_not_found")],
      wants: { code: "model_not_found", status: 404, ...never },
    },
    {
      when: "one has no model and the last one failed",
      failures: [fail("model_not_found"), fail("timeout")],
      wants: { code: "upstream_timeout", status: 504, ...never },
    },
    {
      when: "an empty account and a rate limit disagree",
      failures: [fail("insufficient_credit"), fail("rate_limit", 5000)],
      wants: { code: "rate_limit_exceeded", status: 429, retry_after_ms: 5000, should_retry: true },
    },
    {
      when: "the key of an upstream is bad",
      failures: [fail("auth")],
      benched: [bench("auth")],
      wants: { code: "upstream_auth", status: 502, ...never },
    },
    {
      when: "the last one is overloaded",
      failures: [fail("server"), fail("overloaded", 8000)],
      wants: { code: "upstream_overloaded", status: 503, retry_after_ms: 8000, should_retry: true },
    },
    {
      when: "the request is too large for the plan, which no wait cures",
      failures: [fail("request_too_large_for_tier")],
      wants: { code: "rate_limit_exceeded", status: 429, ...never },
    },
    {
      when: "every answer was empty",
      failures: [fail("malformed_empty")],
      wants: { code: "upstream_empty", status: 502, ...never },
    },
    {
      when: "the client asked for the impossible",
      failures: [fail("server"), fail("bad_request")],
      wants: { code: "bad_request", status: 400, ...never },
    },
    {
      when: "different benches left nothing to try",
      benched: [bench("server"), bench("rate_limit", 45_000), bench("auth")],
      wants: {
        code: "no_target_available",
        status: 503,
        retry_after_ms: 10_000,
        should_retry: true,
      },
    },
    {
      when: "only a refused credential is left",
      benched: [bench("auth")],
      wants: { code: "no_target_available", status: 503, ...never },
    },
    {
      when: "there is nothing at all",
      wants: { code: "no_target_available", status: 503, ...never },
    },
    {
      when: "the router stops",
      failures: [fail("router_shutdown")],
      wants: { code: "router_shutdown", status: 503, retry_after_ms: 1000, should_retry: true },
    },
  ])("when $when", ({ wants, failures = [], benched = [], larger_window_left = false }) => {
    expect(finalStatus({ failures, benched, larger_window_left, now: NOW })).toEqual(wants);
  });

  test("waits shrink as time goes by", () => {
    const benched = [bench("rate_limit", 30_000)];

    expect(finalStatus({ failures: [], benched, now: NOW + 10_000 }).retry_after_ms).toBe(20_000);
  });
});
