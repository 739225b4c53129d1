import { expect, test } from "bun:test";

import { type CardGroup, type Rates } from "../../../src/catalog/cards/card-group.ts";
import { CARD_GROUPS } from "../../../src/catalog/cards/card-groups.ts";
import { findCard } from "../../../src/catalog/find-card.ts";
import { modelOwner } from "../../../src/catalog/model-owners.ts";
import { PROVIDER_TYPES } from "../../../src/catalog/provider-types.ts";

const NOVEMBER = Date.parse("2026-11-29T12:00:00Z");

const found = (type: string, model: string, now = NOVEMBER) => findCard({ type, model }, now);
const inputUsd = (type: string, model: string, now = NOVEMBER) =>
  found(type, model, now)?.facts.price?.input_usd;

test.each<{ type: string; model: string; input_usd: number | undefined }>([
  { type: "openai", model: "gpt-5.4", input_usd: 2.5 },
  { type: "openai", model: "GPT-5.4", input_usd: 2.5 },
  { type: "openai", model: "gpt-5.4-2026-03-05", input_usd: 2.5 },
  { type: "openai", model: "gpt-5.4-mini-2026-03-17", input_usd: 0.75 },
  // A snapshot of its own price beats the family.
  { type: "openai", model: "gpt-4o-2024-05-13", input_usd: 5 },
  { type: "openai", model: "gpt-4o-2024-08-06", input_usd: 2.5 },
  // Siblings are no snapshots.
  { type: "openai", model: "gpt-5.4-turbo", input_usd: undefined },
  { type: "openai", model: "gpt-5.40", input_usd: undefined },
  { type: "openai", model: "openai/gpt-5.4", input_usd: undefined },
  { type: "anthropic", model: "claude-haiku-4-5-20251001", input_usd: 1 },
  { type: "anthropic", model: "claude-haiku-4-5@20251001", input_usd: 1 },
  { type: "anthropic", model: "claude-opus-5-5", input_usd: 4 },
  { type: "xai", model: "grok-4.20-reasoning", input_usd: 1.25 },
  // The digits of a Mistral name are a version, not a date.
  { type: "mistral", model: "mistral-large-2411", input_usd: undefined },
  { type: "minimax", model: "minimax-m3", input_usd: 0.3 },
  // What one host asks says nothing of another.
  { type: "openrouter", model: "anthropic/claude-opus-5-5", input_usd: undefined },
  { type: "openrouter", model: "claude-opus-5-5", input_usd: undefined },
  { type: "openai-compatible", model: "gpt-5.4", input_usd: undefined },
  { type: "openrouter", model: "z-ai/glm-5.3-flash:free", input_usd: 0 },
  { type: "together", model: "z-ai/glm-5.3-flash:free", input_usd: undefined },
  { type: "gemini", model: "gemma-4-31b-it", input_usd: 0 },
  { type: "openai", model: "", input_usd: undefined },
  { type: "openai", model: "__proto__", input_usd: undefined },
  { type: "constructor", model: "constructor", input_usd: undefined },
])("$type:$model costs $input_usd per million of input", ({ type, model, input_usd }) => {
  expect(inputUsd(type, model)).toBe(input_usd);
});

test("a card says all that is known, as of when, and where from", () => {
  expect(found("openai", "gpt-5.4")).toEqual({
    facts: {
      window_tokens: 1_050_000,
      max_output_tokens: 128_000,
      price: {
        input_usd: 2.5,
        output_usd: 15,
        cached_input_usd: 0.25,
        long_prompt: {
          above_tokens: 272_000,
          input_usd: 5,
          output_usd: 22.5,
          cached_input_usd: 0.5,
          cache_write_usd: null,
        },
      },
      capabilities: { tools: true, vision: true, json: true, reasoning: true },
      as_of: "2026-11-05",
    },
    reference: "https://developers.openai.com/api/docs/pricing",
  });
});

test.each<{ what: string; type: string; model: string; at: string; input_usd: number }>([
  {
    what: "the last moment of an introductory price",
    type: "gemini",
    model: "gemini-3.8-flash",
    at: "2026-12-31T23:59:59Z",
    input_usd: 0.75,
  },
  {
    what: "the first moment after it",
    type: "gemini",
    model: "gemini-3.8-flash",
    at: "2027-01-01T00:00:00Z",
    input_usd: 1.5,
  },
  {
    what: "before the working day",
    type: "deepseek",
    model: "deepseek-flash",
    at: "2026-11-27T00:59:59Z",
    input_usd: 0.15,
  },
  {
    what: "a peak hour on a Friday",
    type: "deepseek",
    model: "deepseek-flash",
    at: "2026-11-27T01:00:00Z",
    input_usd: 0.3,
  },
  {
    what: "between the peaks",
    type: "deepseek",
    model: "deepseek-flash",
    at: "2026-11-27T04:00:00Z",
    input_usd: 0.15,
  },
  {
    what: "the afternoon peak",
    type: "deepseek",
    model: "deepseek-flash",
    at: "2026-11-27T09:59:59Z",
    input_usd: 0.3,
  },
  {
    what: "the same hour on a Saturday",
    type: "deepseek",
    model: "deepseek-flash",
    at: "2026-11-28T09:59:59Z",
    input_usd: 0.15,
  },
])("$what, $type:$model costs $input_usd", ({ type, model, at, input_usd }) => {
  expect(inputUsd(type, model, Date.parse(at))).toBe(input_usd);
});

test("every provider type with cards has a priced one with a window", () => {
  const lacking = CARD_GROUPS.filter(
    ({ models }) => !models.some(({ rates, window }) => rates?.length && window),
  );

  expect(lacking.filter(({ type }) => type !== "cerebras").map(({ type }) => type)).toEqual([]);
});

test.each(CARD_GROUPS.map((group) => ({ type: group.type, group })))(
  "every card of $type is found under each of its names",
  ({ type, group }) => {
    const missed = group.models.flatMap(({ names, as_of }) =>
      names.filter((name) => found(type, name)?.facts.as_of !== (as_of ?? group.as_of)),
    );

    expect(missed).toEqual([]);
  },
);

const namesOf = ({ type, models }: CardGroup) =>
  models.flatMap(({ names }) => names.map((name) => `${type}:${name.toLowerCase()}`));

test("no name stands twice", () => {
  const names = CARD_GROUPS.flatMap(namesOf);

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test("cards are of known types, dated, and say where they come from", () => {
  const types = new Set(PROVIDER_TYPES.map(({ id }) => id));
  const wrong = CARD_GROUPS.filter(
    ({ type, source, as_of, models }) =>
      !types.has(type) ||
      !URL.canParse(source) ||
      [as_of, ...models.flatMap((model) => model.as_of ?? [])].some(
        (date) => !/^2026-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date)),
      ),
  );

  expect(wrong).toEqual([]);
});

const asked = (usd: Rates) => [usd.input, usd.output, usd.cached ?? 0, usd.write ?? 0];

test("prices are plausible: none negative, none above 200 dollars, long prompts never cheaper", () => {
  const spans = CARD_GROUPS.flatMap(({ models }) => models.flatMap(({ rates = [] }) => rates));
  const wrong = spans.filter(
    ({ usd, long }) =>
      asked(usd).some((price) => !(price >= 0 && price <= 200)) ||
      (usd.cached ?? 0) > usd.input ||
      (long && (long.usd.input < usd.input || long.usd.output < usd.output)),
  );

  expect(wrong).toEqual([]);
});

test("the catalogue's default models have cards", () => {
  const lacking = PROVIDER_TYPES.filter(
    ({ id, default_model }) =>
      default_model !== null && modelOwner(default_model) === id && !found(id, default_model),
  ).map(({ id }) => id);

  // Perplexity stopped publishing what Sonar costs.
  expect(lacking).toEqual(["perplexity"]);
});
