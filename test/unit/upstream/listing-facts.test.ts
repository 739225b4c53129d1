import { expect, test } from "bun:test";

import { assert, constantFrom, jsonValue, property } from "fast-check";

import type { CardFacts } from "../../../src/catalog/card-facts.ts";
import { listingFacts } from "../../../src/upstream/listing-facts.ts";

const factsOf = (type: string, entry: object, prefix = "") =>
  listingFacts({ data: [{ id: "m", ...entry }] }, { type, prefix })?.get("m");

test.each<{ what: string; type: string; entry: object; facts: CardFacts }>([
  {
    what: "OpenRouter",
    type: "openrouter",
    entry: {
      context_length: 1_048_576,
      top_provider: { context_length: 1_048_576, max_completion_tokens: 131_072 },
      architecture: { input_modalities: ["text", "image"] },
      pricing: {
        prompt: "0.00000015",
        completion: "0.0000005",
        input_cache_read: "0.00000003",
        request: "0.005",
        image: "0",
      },
      supported_parameters: ["tools", "response_format", "temperature"],
    },
    facts: {
      window_tokens: 1_048_576,
      max_output_tokens: 131_072,
      price: { input_usd: 0.15, output_usd: 0.5, cached_input_usd: 0.03, request_usd: 0.005 },
      capabilities: { tools: true, vision: true, json: true, reasoning: false },
    },
  },
  {
    what: "OpenRouter's free models",
    type: "openrouter",
    entry: { pricing: { prompt: "0", completion: "0" } },
    facts: { price: { input_usd: 0, output_usd: 0 } },
  },
  {
    what: "Together",
    type: "together",
    entry: { context_length: 131_072, pricing: { hourly: 0, input: 0.88, output: 0.88, base: 0 } },
    facts: { window_tokens: 131_072, price: { input_usd: 0.88, output_usd: 0.88 } },
  },
  {
    what: "Groq",
    type: "groq",
    entry: { context_window: 131_072, max_completion_tokens: 65_536 },
    facts: { window_tokens: 131_072, max_output_tokens: 65_536 },
  },
  {
    what: "vLLM",
    type: "vllm",
    entry: { owned_by: "vllm", max_model_len: 32_768 },
    facts: { window_tokens: 32_768 },
  },
  {
    what: "llama.cpp, whose own window counts",
    type: "llamacpp",
    entry: { meta: { n_ctx: 8192, n_ctx_train: 131_072 }, capabilities: ["completion"] },
    facts: { window_tokens: 8192 },
  },
  {
    what: "LM Studio",
    type: "lmstudio",
    entry: { max_context_length: 4096, capabilities: ["tool_use"] },
    facts: { window_tokens: 4096, capabilities: { tools: true } },
  },
  {
    what: "Mistral",
    type: "mistral",
    entry: {
      max_context_length: 262_144,
      capabilities: { completion_chat: true, function_calling: true, vision: false },
    },
    facts: { window_tokens: 262_144, capabilities: { tools: true, vision: false } },
  },
  {
    what: "Anthropic",
    type: "anthropic",
    entry: {
      max_input_tokens: 1_000_000,
      max_tokens: 128_000,
      capabilities: { image_input: { supported: true }, thinking: { supported: true } },
    },
    facts: {
      window_tokens: 1_000_000,
      max_output_tokens: 128_000,
      capabilities: { vision: true, reasoning: true },
    },
  },
  {
    what: "Vercel",
    type: "vercel",
    entry: {
      context_window: 200_000,
      max_tokens: 64_000,
      tags: ["tool-use", "vision"],
      pricing: { input: "0.000003", output: "0.000015", input_cache_write: "0.00000375" },
    },
    facts: {
      window_tokens: 200_000,
      max_output_tokens: 64_000,
      price: { input_usd: 3, output_usd: 15, cache_write_usd: 3.75 },
      capabilities: { tools: true, vision: true },
    },
  },
  {
    what: "DeepInfra",
    type: "deepinfra",
    entry: {
      metadata: {
        context_length: 163_840,
        max_tokens: 16_384,
        pricing: { input_tokens: 0.26, output_tokens: 0.38, cache_read_tokens: 0.13 },
      },
    },
    facts: {
      window_tokens: 163_840,
      max_output_tokens: 16_384,
      price: { input_usd: 0.26, output_usd: 0.38, cached_input_usd: 0.13 },
    },
  },
  {
    what: "Venice",
    type: "venice",
    entry: { model_spec: { availableContextTokens: 65_536 } },
    facts: { window_tokens: 65_536 },
  },
  {
    what: "Gemini's own form",
    type: "gemini",
    entry: { inputTokenLimit: 1_048_576, outputTokenLimit: 65_536 },
    facts: { window_tokens: 1_048_576, max_output_tokens: 65_536 },
  },
])("the listing of $what is read", ({ type, entry, facts }) => {
  expect(factsOf(type, entry)).toEqual(facts);
});

test.each<{ what: string; pricing: unknown }>([
  { what: "dynamic", pricing: { prompt: "-1", completion: "-1" } },
  { what: "negative", pricing: { prompt: -0.001, completion: "-0.5" } },
  { what: "not a number", pricing: { prompt: "NaN", completion: "free" } },
  { what: "infinite", pricing: { prompt: "Infinity", completion: "1e400" } },
  { what: "absurd", pricing: { prompt: 1e30, completion: "9e12" } },
  { what: "empty", pricing: { prompt: "", completion: " " } },
  { what: "hexadecimal", pricing: { prompt: "0x10", completion: "0b1" } },
  { what: "a list", pricing: { prompt: [0.1], completion: {} } },
  { what: "true", pricing: { prompt: true, completion: null } },
  { what: "very long", pricing: { prompt: "1".repeat(10_000), completion: `0.${"0".repeat(99)}` } },
  { what: "no table", pricing: "0.1" },
  { what: "nothing", pricing: null },
])("a price that is $what is unknown, not zero", ({ pricing }) => {
  expect(factsOf("openrouter", { pricing })).toBeUndefined();
});

test("a price whose unit is not known is not taken for one", () => {
  const pricing = { prompt: "0.1", completion: "0.2", input: 0.1, output: 0.2 };

  expect(factsOf("openai-compatible", { pricing })).toBeUndefined();
  expect(factsOf("constructor", { pricing })).toBeUndefined();
});

const NO_COUNTS: readonly unknown[] = [0, -1, 1.5, 1e300, NaN, "131072", null, [4096], {}, true];

test.each(NO_COUNTS.map((context_length) => ({ context_length })))(
  "a window of $context_length is no window",
  ({ context_length }) => {
    expect(factsOf("openrouter", { context_length })).toBeUndefined();
  },
);

test("facts go by the id that requests use, the first of a kind", () => {
  const listing = [
    { id: "models/a", context_length: 1 },
    { id: "a", context_length: 2 },
    { id: "b c", context_length: 3 },
    { id: "d" },
  ];

  const facts = listingFacts(listing, { type: "gemini", prefix: "models/" });

  expect([...(facts ?? [])]).toEqual([["a", { window_tokens: 1 }]]);
});

test("a listing that says nothing gives nothing", () => {
  expect(listingFacts({ data: [{ id: "a" }] }, { type: "openai", prefix: "" })).toBeUndefined();
  expect(listingFacts("models", { type: "openai", prefix: "" })).toBeUndefined();
});

const numbersOf = (facts: CardFacts): unknown[] => [
  facts.window_tokens,
  facts.max_output_tokens,
  ...Object.values(facts.price ?? {}),
];

test("whatever JSON arrives, numbers are finite and not negative", () => {
  const types = constantFrom("openrouter", "together", "vercel", "deepinfra", "mistral");
  const words = { context_length: null, pricing: null, capabilities: null, metadata: null };

  assert(
    property(types, jsonValue(), jsonValue(), (type, value, inner) => {
      const entries = [
        value,
        ...Object.keys(words).flatMap((word) => [
          { id: "m", [word]: value },
          { id: "m", [word]: { prompt: inner, input: inner, pricing: inner } },
        ]),
      ];
      for (const entry of entries) {
        const facts = listingFacts([entry], { type, prefix: "" });
        const numbers = [...(facts?.values() ?? [])].flatMap(numbersOf);
        const known = numbers.filter((number) => number !== undefined);
        expect(known.filter((n) => !Number.isFinite(n) || Number(n) < 0)).toEqual([]);
      }
    }),
  );
});
