import { expect, test } from "bun:test";

import { benchAfter } from "../../../src/health/cooldowns.ts";
import { eligibility, type EligibilityInput } from "../../../src/health/eligibility.ts";
import { failureOf } from "../../../src/health/failure-facts.ts";

const NOW = 1_000_000_000;

const healthy: EligibilityInput = {
  dialect: { name: "chat", supported: true },
  problem: null,
  instance_bench: null,
  target_bench: null,
  now: NOW,
};

const limited = benchAfter(null, failureOf("rate_limit", { reason: "r" }), NOW - 7500);
const broke = benchAfter(null, failureOf("insufficient_credit", { reason: "r" }), NOW);
const refused = benchAfter(
  null,
  failureOf("auth", { reason: "r", vendor_code: "invalid_api_key" }),
  NOW,
);

test("a target without any bench is eligible", () => {
  expect(eligibility(healthy)).toEqual([]);
});

test.each([
  {
    what: "a dialect the provider lacks",
    input: { dialect: { name: "embeddings", supported: false } },
    reason: {
      layer: 0,
      code: "capability:embeddings",
      detail: "the provider has no embeddings endpoint",
      until_at: null,
    },
  },
  {
    what: "a missing credential",
    input: { problem: { code: "missing_credential", message: "set `GROQ_API_KEY`" } },
    reason: { layer: 4, code: "missing_credential", detail: "set `GROQ_API_KEY`", until_at: null },
  },
  {
    what: "a refused credential",
    input: { instance_bench: refused },
    reason: {
      layer: 4,
      code: "unusable_auth",
      detail:
        "the upstream refused the credential (invalid_api_key); change it, one trial in 600 s",
      until_at: null,
    },
  },
  {
    what: "a cooldown of the target",
    input: { target_bench: limited },
    reason: {
      layer: 6,
      code: "cooldown",
      detail: "13 s left after rate_limit",
      until_at: NOW + 12_500,
    },
  },
  {
    what: "a cooldown of the instance",
    input: { instance_bench: broke },
    reason: {
      layer: 6,
      code: "cooldown",
      detail: "600 s left after insufficient_credit, for the whole instance",
      until_at: NOW + 600_000,
    },
  },
])("$what is a reason", ({ input, reason }) => {
  expect(eligibility({ ...healthy, ...input })).toEqual([reason]);
});

test("every layer that applies is listed, the firmest first", () => {
  const reasons = eligibility({
    dialect: { name: "embeddings", supported: false },
    problem: { code: "missing_credential", message: "m" },
    instance_bench: broke,
    target_bench: limited,
    now: NOW,
  });

  expect(reasons.map(({ layer, code }) => `${layer} ${code}`)).toEqual([
    "0 capability:embeddings",
    "4 missing_credential",
    "6 cooldown",
    "6 cooldown",
  ]);
});

test.each([
  { what: "a cooldown that is over", bench: limited, later_ms: 12_500 },
  { what: "a trial that is due", bench: refused, later_ms: 600_000 },
])("$what is no reason", ({ bench, later_ms }) => {
  expect(eligibility({ ...healthy, target_bench: bench, now: NOW + later_ms })).toEqual([]);
});
