import type { ModelCard, Price } from "./model-card.ts";

/** Tokens of one call; null where the upstream named none. */
export interface BilledUsage {
  /** All tokens of the prompt, those of the vendor's cache included. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** Input tokens read from the vendor's cache. */
  readonly cached_input_tokens?: number;
  /** Input tokens written to it. */
  readonly cache_write_tokens?: number;
  /** What the vendor itself says the call cost. */
  readonly cost_usd?: number;
}

/** The rates that apply to a prompt, in USD per million tokens. */
type Rates = Pick<Price, "input_usd" | "output_usd" | "cached_input_usd" | "cache_write_usd">;

const PER_MILLION = 1e6;

/**
 * What a call cost in USD: the vendor's own word, else the card's price. Null if the price, or how
 * much was used, is not known; a price of zero needs no usage. Cached tokens whose price is not
 * known count as any other input, so that the cost is rather too high than too low.
 */
export function costOf(usage: BilledUsage | null, { price }: ModelCard): number | null {
  if (usage?.cost_usd !== undefined) return usage.cost_usd;
  const { input_tokens = null, output_tokens = null } = usage ?? {};
  const rates = ratesFor(price, input_tokens ?? 0);
  const input = inputCost(usage, rates);
  const output = charge(output_tokens, rates.output_usd);
  if (input === null || output === null) return null;
  return input + output + (price.request_usd ?? 0);
}

/** The output that is assumed of a call that does not say how much it wants. */
const ASSUMED_OUTPUT_TOKENS = 512;

export interface ExpectedUse {
  readonly input_tokens: number;
  /** The caller's own limit, if it set one. */
  readonly max_tokens: number | null;
}

/** What a call would cost in USD, to compare targets by; null if the price is not known. */
export function estimateCost(
  { input_tokens, max_tokens }: ExpectedUse,
  card: ModelCard,
): number | null {
  const isLimited = max_tokens !== null && max_tokens >= 0 && max_tokens < ASSUMED_OUTPUT_TOKENS;
  const output_tokens = isLimited ? max_tokens : ASSUMED_OUTPUT_TOKENS;
  return costOf({ input_tokens, output_tokens }, card);
}

function ratesFor(price: Price, prompt_tokens: number): Rates {
  const { long_prompt } = price;
  return long_prompt && prompt_tokens > long_prompt.above_tokens ? long_prompt : price;
}

function inputCost(usage: BilledUsage | null, rates: Rates): number | null {
  const { input_usd, cached_input_usd, cache_write_usd } = rates;
  const all = usage?.input_tokens ?? null;
  if (all === null) return charge(null, input_usd);
  // The parts cannot be more than the whole, whatever a vendor says.
  const cached = Math.min(usage?.cached_input_tokens ?? 0, all);
  const written = Math.min(usage?.cache_write_tokens ?? 0, all - cached);
  if (cached + written === 0) return charge(all, input_usd);
  const parts = [
    charge(all - cached - written, input_usd),
    charge(cached, cached_input_usd ?? input_usd),
    charge(written, cache_write_usd ?? input_usd),
  ];
  return parts.reduce((sum, part) => (sum === null || part === null ? null : sum + part), 0);
}

function charge(tokens: number | null, usd: number | null): number | null {
  if (usd === 0) return 0;
  return tokens === null || usd === null ? null : (tokens * usd) / PER_MILLION;
}
