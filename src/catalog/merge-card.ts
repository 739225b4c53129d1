import type { CardFacts, PriceFacts } from "./card-facts.ts";
import type { Capabilities, ModelCard, Price } from "./model-card.ts";

/** Where a fact may come from; each beats those after it. */
export type CardSource = "override" | "self-hosted" | "listing" | "bundled";

export interface CardLayer {
  readonly source: CardSource;
  readonly facts: CardFacts;
}

type CardField = "window_tokens" | "max_output_tokens" | keyof Price | keyof Capabilities;

/** Where each fact of a card comes from; null for what is not known. */
export type CardSources = Readonly<Record<CardField, CardSource | null>>;

export interface SourcedCard {
  readonly card: ModelCard;
  readonly sources: CardSources;
}

/** All that running a model on one's own machines says of its price. */
export const SELF_HOSTED_FACTS: CardFacts = {
  price: { input_usd: 0, output_usd: 0, cached_input_usd: 0, cache_write_usd: 0 },
};

interface Picked<T> {
  readonly value: T | null;
  readonly source: CardSource | null;
  /** Position of the layer it comes from; -1 for none. */
  readonly at: number;
}

/** One card out of what several places know, strongest first: each field is the first that is known. */
export function mergeCard(layers: readonly CardLayer[]): SourcedCard {
  const window = pick(layers, ({ window_tokens }) => window_tokens);
  const output = pick(layers, ({ max_output_tokens }) => max_output_tokens);
  const price = mergePrice(layers);
  const abilities = mergeCapabilities(layers);
  const sources: CardSources = {
    window_tokens: window.source,
    max_output_tokens: output.source,
    ...price.sources,
    ...abilities.sources,
  };
  const source =
    sources.input_usd ?? Object.values(sources).find((known) => known !== null) ?? "unknown";
  const card = {
    window_tokens: window.value,
    max_output_tokens: output.value,
    price: price.value,
    capabilities: abilities.value,
    source,
    as_of:
      (layers[price.at] ?? layers.find((layer) => layer.source === source))?.facts.as_of ?? null,
  };
  return { card, sources };
}

function pick<T>(
  layers: readonly CardLayer[],
  read: (facts: CardFacts) => T | undefined,
): Picked<T> {
  for (const [at, { source, facts }] of layers.entries()) {
    const value = read(facts);
    if (value !== undefined) return { value, source, at };
  }
  return { value: null, source: null, at: -1 };
}

type PriceSources = Pick<CardSources, keyof Price>;

interface MergedPrice {
  readonly value: Price;
  readonly sources: PriceSources;
  /** Position of the layer that the price of input comes from; -1 for none. */
  readonly at: number;
}

function mergePrice(layers: readonly CardLayer[]): MergedPrice {
  const of = (key: Exclude<keyof PriceFacts, "long_prompt">) =>
    pick(layers, ({ price }) => price?.[key]);
  const input = of("input_usd");
  const output = of("output_usd");
  const cached = of("cached_input_usd");
  const write = of("cache_write_usd");
  const request = of("request_usd");
  // A higher price for long prompts belongs to the price it is higher than.
  const long = pick(layers.slice(0, input.at + 1), ({ price: known }) => known?.long_prompt);
  return {
    at: input.at,
    value: {
      input_usd: input.value,
      output_usd: output.value,
      cached_input_usd: cached.value,
      cache_write_usd: write.value,
      request_usd: request.value,
      long_prompt: long.value,
    },
    sources: {
      input_usd: input.source,
      output_usd: output.source,
      cached_input_usd: cached.source,
      cache_write_usd: write.source,
      request_usd: request.source,
      long_prompt: long.source,
    },
  };
}

type CapabilitySources = Pick<CardSources, keyof Capabilities>;

function mergeCapabilities(layers: readonly CardLayer[]): {
  value: Capabilities;
  sources: CapabilitySources;
} {
  const of = (name: keyof Capabilities) => pick(layers, (facts) => facts.capabilities?.[name]);
  const [tools, vision, json, reasoning] = [of("tools"), of("vision"), of("json"), of("reasoning")];
  return {
    value: {
      tools: tools.value,
      vision: vision.value,
      json: json.value,
      reasoning: reasoning.value,
    },
    sources: {
      tools: tools.source,
      vision: vision.source,
      json: json.source,
      reasoning: reasoning.source,
    },
  };
}
