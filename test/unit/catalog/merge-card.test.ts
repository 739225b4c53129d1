import { expect, test } from "bun:test";

import { type CardLayer, mergeCard, SELF_HOSTED_FACTS } from "../../../src/catalog/merge-card.ts";
import { isSelfHosted } from "../../../src/catalog/self-hosted.ts";

const LONG = {
  above_tokens: 200_000,
  input_usd: 4,
  output_usd: 16,
  cached_input_usd: 0.4,
  cache_write_usd: null,
};

const BUNDLED: CardLayer = {
  source: "bundled",
  facts: {
    window_tokens: 100,
    max_output_tokens: 10,
    price: { input_usd: 2, output_usd: 8, cached_input_usd: 0.2, long_prompt: LONG },
    capabilities: { tools: true, vision: false },
    as_of: "2026-11-01",
  },
};

test("nothing known is a card of unknowns", () => {
  const { card, sources } = mergeCard([]);

  expect(card).toEqual({
    window_tokens: null,
    max_output_tokens: null,
    price: {
      input_usd: null,
      output_usd: null,
      cached_input_usd: null,
      cache_write_usd: null,
      request_usd: null,
      long_prompt: null,
    },
    capabilities: { tools: null, vision: null, json: null, reasoning: null },
    source: "unknown",
    as_of: null,
  });
  expect(new Set(Object.values(sources))).toEqual(new Set([null]));
});

test("each field comes from the strongest place that knows it", () => {
  const { card, sources } = mergeCard([
    { source: "override", facts: { price: { output_usd: 7 }, capabilities: { json: true } } },
    { source: "listing", facts: { window_tokens: 200, capabilities: { vision: true } } },
    BUNDLED,
  ]);

  expect(card).toEqual({
    window_tokens: 200,
    max_output_tokens: 10,
    price: {
      input_usd: 2,
      output_usd: 7,
      cached_input_usd: 0.2,
      cache_write_usd: null,
      request_usd: null,
      long_prompt: LONG,
    },
    capabilities: { tools: true, vision: true, json: true, reasoning: null },
    source: "bundled",
    as_of: "2026-11-01",
  });
  expect(sources).toEqual({
    window_tokens: "listing",
    max_output_tokens: "bundled",
    input_usd: "bundled",
    output_usd: "override",
    cached_input_usd: "bundled",
    cache_write_usd: null,
    request_usd: null,
    long_prompt: "bundled",
    tools: "bundled",
    vision: "listing",
    json: "override",
    reasoning: null,
  });
});

test.each<{ what: string; layers: CardLayer[]; source: string; as_of: string | null }>([
  { what: "the place of its price", layers: [BUNDLED], source: "bundled", as_of: "2026-11-01" },
  {
    what: "an override that dates its price",
    layers: [
      { source: "override", facts: { price: { input_usd: 1 }, as_of: "2026-11-28" } },
      BUNDLED,
    ],
    source: "override",
    as_of: "2026-11-28",
  },
  {
    what: "a listing, which is of today",
    layers: [{ source: "listing", facts: { price: { input_usd: 1, output_usd: 1 } } }, BUNDLED],
    source: "listing",
    as_of: null,
  },
  {
    what: "any place where no price is known",
    layers: [{ source: "listing", facts: { window_tokens: 5 } }],
    source: "listing",
    as_of: null,
  },
])("a card is named after $what", ({ layers, source, as_of }) => {
  const { card } = mergeCard(layers);

  expect({ source: card.source, as_of: card.as_of }).toEqual({ source, as_of });
});

test("a price for long prompts goes with the price it belongs to", () => {
  const stronger: CardLayer = { source: "listing", facts: { price: { input_usd: 9 } } };

  expect(mergeCard([stronger, BUNDLED]).card.price).toMatchObject({
    input_usd: 9,
    long_prompt: null,
  });
});

test("one's own machine costs nothing, unless the operator says otherwise", () => {
  const free: CardLayer = { source: "self-hosted", facts: SELF_HOSTED_FACTS };
  const priced: CardLayer = { source: "override", facts: { price: { output_usd: 0.5 } } };

  expect(mergeCard([free, BUNDLED]).card.price).toMatchObject({
    input_usd: 0,
    output_usd: 0,
    long_prompt: null,
  });
  expect(mergeCard([priced, free]).card.price).toMatchObject({ input_usd: 0, output_usd: 0.5 });
});

test.each<{ type: string; model?: string; local?: boolean; free: boolean }>([
  { type: "ollama", free: true },
  { type: "vllm", free: true },
  { type: "llamacpp", free: true },
  { type: "lmstudio", free: true },
  { type: "sim", free: true },
  { type: "openai-compatible", free: false },
  { type: "openai-compatible", local: true, free: true },
  { type: "ollama-cloud", free: false },
  { type: "ollama", model: "gpt-oss:120b-cloud", free: false },
  { type: "ollama", model: "kimi-k3:cloud", free: false },
  { type: "openai", free: false },
])(
  "$type with $model, local $local: free is $free",
  ({ type, model = "m", local = false, free }) => {
    expect(isSelfHosted({ type, model, local })).toBe(free);
  },
);
