import { expect, test } from "bun:test";

import * as fc from "fast-check";

import { CONTRACTS } from "../../../../src/canary/contracts/contract.ts";
import { EMPTY_FLEET } from "../../../../src/canary/ladder/state.ts";
import { buildProbe } from "../../../../src/canary/probes/probe.ts";
import { planRound } from "../../../../src/canary/rounds/plan-round.ts";
import {
  reserve,
  settlePurchase,
  type Spending,
  spendingOf,
  totalUsd,
} from "../../../../src/canary/spending/budget.ts";
import { dryRun, estimateDay } from "../../../../src/canary/spending/estimate.ts";
import { chargeOf, usualCharge, worstCharge } from "../../../../src/canary/spending/probe-cost.ts";
import { anEndpoint, aReply, PRICE } from "../probes/an-endpoint.ts";

const DAY = 86_400_000;
const LIMITS = { usd_per_day: 1, usd_per_provider: 0.6, tokens_per_provider: 5000 };
const EMPTY = spendingOf([], 0);

const purchase = fc.record({
  instance: fc.constantFrom("or", "nim", "groq"),
  worst: fc.record({ tokens: fc.nat(2000), usd: fc.double({ min: 0, max: 0.4, noNaN: true }) }),
  used: fc.double({ min: 0, max: 1, noNaN: true }),
  isSettled: fc.boolean(),
  after: fc.constantFrom(0, 0, 0, DAY / 2),
});

test("whatever is bought in whatever order, no limit is passed", () => {
  fc.assert(
    fc.property(fc.array(purchase, { maxLength: 80 }), (purchases) => {
      let spending: Spending = EMPTY;
      let now = 0;
      for (const { instance, worst, used, isSettled, after } of purchases) {
        now += after;
        const reserved = reserve(spending, { instance, worst }, LIMITS, now);
        if (!reserved.ok) continue;
        spending = reserved.spending;
        const actual = { tokens: Math.floor(worst.tokens * used), usd: worst.usd * used };
        if (isSettled) {
          spending = settlePurchase(spending, { instance, worst }, { actual, reserved_at: now });
        }
        expect(totalUsd(spending.by_instance)).toBeLessThanOrEqual(LIMITS.usd_per_day + 1e-9);
        for (const own of spending.by_instance.values()) {
          expect(own.usd).toBeLessThanOrEqual(LIMITS.usd_per_provider + 1e-9);
          expect(own.tokens).toBeLessThanOrEqual(LIMITS.tokens_per_provider);
        }
      }
    }),
  );
});

const LARGE = { tokens: 100, usd: 0.5 };

test.each([
  { what: "all providers", limits: { ...LIMITS, usd_per_provider: null }, limit: "usd_per_day" },
  { what: "a provider", limits: { ...LIMITS, usd_per_day: 9 }, limit: "usd_per_provider" },
  {
    what: "a provider's tokens",
    limits: { usd_per_day: 9, usd_per_provider: null, tokens_per_provider: 150 },
    limit: "tokens_per_provider",
  },
] as const)("what would pass the limit of $what is not bought", ({ limits, limit }) => {
  let spending: Spending = EMPTY;
  for (let bought = 0; bought < 3; bought++) {
    const instance = limit === "usd_per_day" ? `instance-${bought}` : "or";
    const reserved = reserve(spending, { instance, worst: LARGE }, limits, 0);
    if (!reserved.ok) {
      expect(reserved).toEqual({ ok: false, limit });
      return;
    }
    spending = reserved.spending;
  }
  expect.unreachable();
});

test("a new day begins with nothing spent, and a probe of the day before costs it nothing", () => {
  const yesterday = { instance: "or", worst: LARGE };
  const before = reserve(EMPTY, yesterday, LIMITS, DAY - 1);
  if (!before.ok) throw new Error("nothing was spent");

  const after = reserve(before.spending, yesterday, LIMITS, DAY + 1);
  if (!after.ok) throw new Error("the new day has spent nothing");
  const settled = settlePurchase(after.spending, yesterday, {
    actual: { tokens: 1, usd: 0 },
    reserved_at: DAY - 1,
  });

  expect(settled).toEqual({ day: 1, by_instance: new Map([["or", LARGE]]) });
});

const rowAt = (at: number, usd: number) => {
  return { instance: "or", at, charged_tokens: 10, charged_usd: usd };
};

test("what a day has cost is known from its rows", () => {
  const spending = spendingOf([rowAt(DAY - 1, 9), rowAt(DAY, 0.25), rowAt(DAY + 5, 0.5)], DAY + 9);

  expect(spending).toEqual({ day: 1, by_instance: new Map([["or", { tokens: 20, usd: 0.75 }]]) });
});

const probeOf = (price = PRICE) =>
  buildProbe(anEndpoint({ price }), { contract: "ttft", locale: null }, { round_n: 1, attempt: 1 });

test.each([
  {
    what: "as much as it says",
    reply: aReply({ input_tokens: 100, answer: { ...aReply().answer, output_tokens: 50 } }),
    charge: { tokens: 150, usd: (100 * 1) / 1e6 + (50 * 4) / 1e6 },
  },
  {
    what: "what the vendor says, before any price list",
    reply: aReply({ cost_usd: 0.5, answer: { ...aReply().answer, output_tokens: 50 } }),
    charge: { tokens: 90, usd: 0.5 },
  },
  { what: "the most it can, if it does not say", reply: aReply(), charge: worstCharge(probeOf()) },
  {
    what: "the most it can, if nothing came back",
    reply: { kind: "failed", failure: "timeout", status: null },
    charge: worstCharge(probeOf()),
  },
  {
    what: "the most it can, if it broke off in its midst",
    reply: { kind: "failed", failure: "server", status: 200 },
    charge: worstCharge(probeOf()),
  },
  {
    what: "nothing, if it was refused",
    reply: { kind: "failed", failure: "rate_limit", status: 429 },
    charge: { tokens: 0, usd: 0 },
  },
] as const)("a probe costs $what", ({ reply, charge }) => {
  expect(chargeOf(probeOf(), reply)).toEqual(charge);
});

test("a price that nobody knows is taken for a high one", () => {
  const unknown = worstCharge(probeOf({ ...PRICE, input_usd: 0, output_usd: 0 }));
  const assumed = buildProbe(
    anEndpoint({ price: { input_usd: null, output_usd: null, cached_input_usd: null } }),
    { contract: "ttft", locale: null },
    { round_n: 1, attempt: 1 },
  );

  expect(unknown.usd).toBe(0);
  expect(worstCharge(assumed).usd).toBeGreaterThan(worstCharge(probeOf()).usd);
});

test("a dry run lists every question, and a day is priced by provider", () => {
  const plan = planRound({
    round_n: 1,
    fleet: EMPTY_FLEET,
    endpoints: [
      { endpoint: anEndpoint(), use: "watched" },
      { endpoint: anEndpoint({ key: "nim:q", instance: "nim", host: null }), use: "watched" },
    ],
    controls: [],
    locales: ["pt"],
    locales_per_round: 1,
    evidence: null,
  });

  const probes = dryRun(plan, 1);
  expect(probes.map(({ endpoint, contract }) => `${endpoint} ${contract}`)).toEqual(
    ["or:a/m@deepinfra/fp8", "nim:q"].flatMap((key) => CONTRACTS.map((one) => `${key} ${one}`)),
  );

  const [day, other] = estimateDay(probes, 30 * 60_000);
  expect([day?.instance, day?.probes, other?.instance]).toEqual(["or", 4 * 48, "nim"]);
  expect(day?.usual.usd).toBeGreaterThan(0);
  expect(day?.worst.usd ?? 0).toBeGreaterThan(3 * (day?.usual.usd ?? 0));
});

test("what a probe usually costs is less than the most it can", () => {
  const { tokens, usd } = usualCharge(probeOf());

  expect(tokens).toBeLessThan(worstCharge(probeOf()).tokens);
  expect(usd).toBeLessThan(worstCharge(probeOf()).usd);
});
