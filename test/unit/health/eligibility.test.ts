import { describe, expect, test } from "bun:test";

import { FAILURE_RATE, type Trip } from "../../../src/health/breaker.ts";
import { type Bench, benchAfter } from "../../../src/health/cooldowns.ts";
import {
  eligibility,
  type EligibilityInput,
  heldWhenPinned,
} from "../../../src/health/eligibility.ts";
import type { Exclusion } from "../../../src/health/exclusions.ts";
import { failureOf } from "../../../src/health/failure-facts.ts";
import type { Failure, FailureKind } from "../../../src/health/failure.ts";

const NOW = 1_000_000_000;

const healthy: EligibilityInput = {
  exclusions: [],
  suspensions: [],
  trips: [],
  benches: [],
  now: NOW,
};

function bench(kind: FailureKind, details: Partial<Failure> = {}, since = NOW) {
  const made: Bench | null = benchAfter(null, failureOf(kind, { reason: "r", ...details }), since);
  if (made === null) throw new Error("expected a bench");
  return { ...made, is_tried: false };
}

const trip = (changes: Partial<Trip> = {}) => ({
  scope: "target" as const,
  subject: "a:m",
  cause: FAILURE_RATE,
  detail: "5 failures in a row, the last one server",
  opened_at: NOW - 10_000,
  until_at: NOW + 50_000,
  reopened: 0,
  is_tried: false,
  ...changes,
});

const exclusion = (changes: Partial<Exclusion>): Exclusion => ({
  id: "e1",
  scope: "target",
  subject: "a:m",
  reason: "answers in riddles",
  source: "operator",
  created_at: NOW,
  until_at: null,
  ...changes,
});

const suspension = { detail: "2 failed rounds", until_at: NOW + 3_600_000 };
const limited = bench("rate_limit", {}, NOW - 7500);
const waiting = bench("rate_limit", { retry_after_ms: 9000, cooldown_ms: 9000 });
const broke = bench("insufficient_credit");
const refused = bench("auth", { vendor_code: "invalid_api_key" });

test("a target without anything against it is eligible", () => {
  expect(eligibility(healthy)).toEqual([]);
});

describe("what is against a target, and what it yields to", () => {
  test.each([
    {
      what: "an exclusion shipped with a release",
      input: { exclusions: [exclusion({ source: "shipped" })] },
      reason: { layer: 1, code: "static_exclusion", detail: "answers in riddles", until_at: null },
      yields: "never",
    },
    {
      what: "an exclusion of the config",
      input: { exclusions: [exclusion({ source: "config" })] },
      reason: { layer: 1, code: "static_exclusion", detail: "answers in riddles", until_at: null },
      yields: "never",
    },
    {
      what: "an operator's exclusion for a time",
      input: { exclusions: [exclusion({ until_at: NOW + 5 })] },
      reason: {
        layer: 2,
        code: "operator_exclusion",
        detail: "answers in riddles",
        until_at: NOW + 5,
      },
      yields: "never",
    },
    {
      what: "a canary's suspension",
      input: { suspensions: [suspension] },
      reason: { layer: 3, code: "canary_suspended", ...suspension },
      yields: "pinned",
    },
    {
      what: "a refused credential",
      input: { benches: [refused] },
      reason: {
        layer: 4,
        code: "unusable_auth",
        detail:
          "the upstream refused the credential (invalid_api_key); change it, one trial in 600 s",
        until_at: null,
      },
      yields: "never",
    },
    {
      what: "a failure-rate trip",
      input: { trips: [trip()] },
      reason: {
        layer: 5,
        code: "breaker_open",
        detail: "failure_rate: 5 failures in a row, the last one server; a trial in 50 s",
        until_at: NOW + 50_000,
      },
      yields: "one_at_a_time",
    },
    {
      what: "a signature trip of an instance",
      input: {
        trips: [
          trip({
            scope: "provider",
            subject: "a",
            cause: "signature:double_encoding",
            detail: "d",
          }),
        ],
      },
      reason: {
        layer: 5,
        code: "breaker_open",
        detail: "signature:double_encoding, for the whole instance: d; a trial in 50 s",
        until_at: NOW + 50_000,
      },
      yields: "always",
    },
    {
      what: "a half-open breaker whose trial is under way",
      input: { trips: [{ ...trip({ until_at: NOW }), is_tried: true }] },
      reason: {
        layer: 5,
        code: "breaker_open",
        detail:
          "failure_rate: 5 failures in a row, the last one server; half open, its one trial is under way",
        until_at: null,
      },
      yields: "one_at_a_time",
    },
    {
      what: "a cooldown that we chose",
      input: { benches: [limited] },
      reason: {
        layer: 6,
        code: "cooldown",
        detail: "13 s left after rate_limit",
        until_at: NOW + 12_500,
      },
      yields: "one_at_a_time",
    },
    {
      what: "a cooldown that the vendor named",
      input: { benches: [waiting] },
      reason: {
        layer: 6,
        code: "cooldown",
        detail: "9 s left after rate_limit",
        until_at: NOW + 9000,
      },
      yields: "never",
    },
    {
      what: "an empty account",
      input: { benches: [broke] },
      reason: {
        layer: 6,
        code: "cooldown",
        detail: "600 s left after insufficient_credit, for the whole instance",
        until_at: NOW + 600_000,
      },
      yields: "never",
    },
  ])("$what", ({ input, reason, yields }) => {
    const [obstacle, ...more] = eligibility({ ...healthy, ...input });

    expect(more).toEqual([]);
    expect(obstacle?.reason).toEqual(reason);
    expect(obstacle?.yields).toBe(yields);
  });
});

const everything: EligibilityInput = {
  exclusions: [exclusion({}), exclusion({ source: "config", subject: "a" })],
  suspensions: [suspension],
  trips: [trip()],
  benches: [refused, limited, waiting],
  now: NOW,
};

test("every layer that applies is listed, the firmest first", () => {
  expect(eligibility(everything).map(({ reason: { layer, code } }) => `${layer} ${code}`)).toEqual([
    "1 static_exclusion",
    "2 operator_exclusion",
    "3 canary_suspended",
    "4 unusable_auth",
    "5 breaker_open",
    "6 cooldown",
    "6 cooldown",
  ]);
});

test("a pinned target skips the canary, open breakers and cooldowns of our own, nothing else", () => {
  expect(heldWhenPinned(eligibility(everything)).map(({ reason }) => reason.code)).toEqual([
    "static_exclusion",
    "operator_exclusion",
    "unusable_auth",
    "cooldown",
  ]);
});

test.each([
  { what: "a cooldown that is over", input: { benches: [limited] }, later_ms: 12_500 },
  { what: "a credential's trial that is due", input: { benches: [refused] }, later_ms: 600_000 },
  { what: "a half-open breaker nobody tries", input: { trips: [trip()] }, later_ms: 50_000 },
])("$what is no reason", ({ input, later_ms }) => {
  expect(eligibility({ ...healthy, ...input, now: NOW + later_ms })).toEqual([]);
});
