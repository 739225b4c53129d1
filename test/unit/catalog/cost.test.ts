import { expect, test } from "bun:test";

import { assert, integer, nat, property, record } from "fast-check";

import { type BilledUsage, costOf, estimateCost } from "../../../src/catalog/cost.ts";
import { mergeCard } from "../../../src/catalog/merge-card.ts";
import type { LongPromptPrice, ModelCard, Price } from "../../../src/catalog/model-card.ts";

const UNKNOWN = mergeCard([]).card;

const card = (price: Partial<Price>): ModelCard => ({
  ...UNKNOWN,
  price: { ...UNKNOWN.price, ...price },
});

const LONG: LongPromptPrice = {
  above_tokens: 1000,
  input_usd: 4,
  output_usd: 12,
  cached_input_usd: 0.4,
  cache_write_usd: null,
};
const SIMPLE = card({ input_usd: 2, output_usd: 8, cached_input_usd: 0.5 });
const TIERED = card({ input_usd: 2, output_usd: 8, cached_input_usd: 0.2, long_prompt: LONG });
const FREE = card({ input_usd: 0, output_usd: 0, cached_input_usd: 0 });

test.each<{ what: string; usage: BilledUsage | null; of: ModelCard; cost: number | null }>([
  {
    what: "input and output",
    usage: { input_tokens: 1_000_000, output_tokens: 500_000 },
    of: SIMPLE,
    cost: 6,
  },
  {
    what: "cached tokens as part of the input, not beside it",
    usage: { input_tokens: 1000, output_tokens: 10, cached_input_tokens: 800 },
    of: SIMPLE,
    cost: 0.00088,
  },
  {
    what: "a prompt that came from the cache almost whole",
    usage: { input_tokens: 10_007, output_tokens: 20, cached_input_tokens: 10_000 },
    of: card({ input_usd: 3, output_usd: 15, cached_input_usd: 0.3 }),
    cost: 0.003321,
  },
  {
    what: "cached tokens without a price of their own like any other",
    usage: { input_tokens: 1000, output_tokens: 0, cached_input_tokens: 800 },
    of: card({ input_usd: 2, output_usd: 8 }),
    cost: 0.002,
  },
  {
    what: "written cache at its own price",
    usage: { input_tokens: 1000, output_tokens: 0, cache_write_tokens: 400 },
    of: card({ input_usd: 2, output_usd: 8, cache_write_usd: 2.5 }),
    cost: 0.0022,
  },
  {
    what: "more cached tokens than there were tokens as all of them",
    usage: {
      input_tokens: 100,
      output_tokens: 0,
      cached_input_tokens: 900,
      cache_write_tokens: 900,
    },
    of: SIMPLE,
    cost: 0.00005,
  },
  {
    what: "a prompt at the limit at the usual price",
    usage: { input_tokens: 1000, output_tokens: 1000 },
    of: TIERED,
    cost: 0.01,
  },
  {
    what: "a longer one wholly at the higher price",
    usage: { input_tokens: 1001, output_tokens: 1000, cached_input_tokens: 1001 },
    of: TIERED,
    cost: 0.0124004,
  },
  {
    what: "a fee per request",
    usage: { input_tokens: 0, output_tokens: 0 },
    of: card({ input_usd: 1, output_usd: 1, request_usd: 0.005 }),
    cost: 0.005,
  },
  {
    what: "the vendor's own figure above all",
    usage: { input_tokens: 1000, output_tokens: 10, cost_usd: 0.25 },
    of: SIMPLE,
    cost: 0.25,
  },
  {
    what: "the vendor's own figure where the price is unknown",
    usage: { input_tokens: null, output_tokens: null, cost_usd: 0 },
    of: UNKNOWN,
    cost: 0,
  },
  {
    what: "an unknown price",
    usage: { input_tokens: 1, output_tokens: 1 },
    of: UNKNOWN,
    cost: null,
  },
  {
    what: "an unknown price of what was not used",
    usage: { input_tokens: 1, output_tokens: 0 },
    of: card({ input_usd: 1 }),
    cost: null,
  },
  { what: "unknown usage", usage: null, of: SIMPLE, cost: null },
  {
    what: "unknown output",
    usage: { input_tokens: 1, output_tokens: null },
    of: SIMPLE,
    cost: null,
  },
  {
    what: "unknown output that costs nothing",
    usage: { input_tokens: 1_000_000, output_tokens: null },
    of: card({ input_usd: 0.1, output_usd: 0 }),
    cost: 0.1,
  },
  { what: "what is free, whatever was used", usage: null, of: FREE, cost: 0 },
])("the cost counts $what", ({ usage, of, cost }) => {
  const counted = costOf(usage, of);

  if (cost === null) expect(counted).toBeNull();
  else expect(counted).toBeCloseTo(cost, 12);
});

test.each<{ what: string; max_tokens: number | null; cost: number }>([
  { what: "512 tokens of output by default", max_tokens: null, cost: 0.006096 },
  { what: "no more than the caller's limit", max_tokens: 100, cost: 0.0028 },
  { what: "512 tokens below a larger limit", max_tokens: 8000, cost: 0.006096 },
  { what: "no output if none is wanted", max_tokens: 0, cost: 0.002 },
  { what: "512 tokens for a limit that is none", max_tokens: -1, cost: 0.006096 },
  { what: "512 tokens for a limit that is no number", max_tokens: Number.NaN, cost: 0.006096 },
])("an estimate assumes $what", ({ max_tokens, cost }) => {
  expect(estimateCost({ input_tokens: 1000, max_tokens }, SIMPLE)).toBeCloseTo(cost, 12);
});

test("an estimate of an unpriced card is unknown, of a free one zero", () => {
  const use = { input_tokens: 1000, max_tokens: null };

  expect(estimateCost(use, UNKNOWN)).toBeNull();
  expect(estimateCost(use, FREE)).toBe(0);
});

test("a cost is never negative, and never above that of a prompt without cache", () => {
  const usages = record({
    input_tokens: nat(1000),
    output_tokens: nat(10_000),
    cached_input_tokens: integer({ min: 0, max: 5000 }),
  });

  assert(
    property(usages, (usage) => {
      const cost = costOf(usage, SIMPLE) ?? Number.NaN;
      const uncached = costOf({ ...usage, cached_input_tokens: 0 }, SIMPLE) ?? Number.NaN;
      expect(cost).toBeGreaterThanOrEqual(0);
      expect(cost).toBeLessThanOrEqual(uncached);
    }),
  );
});
