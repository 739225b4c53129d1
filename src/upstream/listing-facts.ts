import type { CardFacts, PriceFacts } from "../catalog/card-facts.ts";
import { listingCapabilities } from "./listing-capabilities.ts";
import { listingPrice } from "./listing-price.ts";
import { memberOf, modelEntries } from "./model-ids.ts";

/** Facts by model id, for the models of which the listing says anything. */
export type ListedFacts = ReadonlyMap<string, CardFacts>;

export interface ListingSource {
  /** Provider type: it decides in which unit prices are. */
  readonly type: string;
  readonly prefix: string;
}

/**
 * What a listing says of its models beside their ids; undefined if nothing. Values that cannot be
 * true are left out.
 */
export function listingFacts(
  listing: unknown,
  { type, prefix }: ListingSource,
): ListedFacts | undefined {
  const facts = new Map<string, CardFacts>();
  for (const { id, entry } of modelEntries(listing, prefix)) {
    const known = factsOf(entry, listingPrice(type, entry));
    if (Object.keys(known).length > 0) facts.set(id, known);
  }
  return facts.size === 0 ? undefined : facts;
}

function factsOf(entry: unknown, price: PriceFacts): CardFacts {
  const window_tokens = firstCount(entry, WINDOW);
  const max_output_tokens = firstCount(entry, OUTPUT);
  const capabilities = listingCapabilities(entry);
  return {
    ...(window_tokens !== undefined && { window_tokens }),
    ...(max_output_tokens !== undefined && { max_output_tokens }),
    ...(Object.keys(price).length > 0 && { price }),
    ...(Object.keys(capabilities).length > 0 && { capabilities }),
  };
}

type Place = readonly [name: string, inner?: string];

/** Where vendors say how much a model takes in and gives out together. */
const WINDOW: readonly Place[] = [
  // What llama.cpp runs with counts, not what the model was trained for.
  ["meta", "n_ctx"],
  // OpenRouter, Together, and most that copy them.
  ["context_length"],
  // Groq, Vercel.
  ["context_window"],
  // vLLM.
  ["max_model_len"],
  // Mistral.
  ["max_context_length"],
  // Anthropic.
  ["max_input_tokens"],
  // Gemini's own form.
  ["inputTokenLimit"],
  // Novita.
  ["context_size"],
  // Venice.
  ["model_spec", "availableContextTokens"],
  // DeepInfra.
  ["metadata", "context_length"],
];

const OUTPUT: readonly Place[] = [
  ["top_provider", "max_completion_tokens"],
  ["max_completion_tokens"],
  ["max_output_tokens"],
  ["outputTokenLimit"],
  ["max_tokens"],
  ["metadata", "max_tokens"],
];

/** More than any model takes: a larger number is a mistake or mischief. */
const MAX_TOKENS = 1_000_000_000;

function firstCount(entry: unknown, places: readonly Place[]): number | undefined {
  for (const [name, inner] of places) {
    const outer = memberOf(entry, name);
    const value = inner === undefined ? outer : memberOf(outer, inner);
    if (Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= MAX_TOKENS) {
      return Number(value);
    }
  }
  return undefined;
}
