import type { Capabilities, LongPromptPrice } from "./model-card.ts";

/** Parts of a price that one place knows; units as in `Price`. */
export interface PriceFacts {
  readonly input_usd?: number;
  readonly output_usd?: number;
  readonly cached_input_usd?: number;
  readonly cache_write_usd?: number;
  readonly request_usd?: number;
  readonly long_prompt?: LongPromptPrice;
}

export type CapabilityFacts = Readonly<Partial<Record<keyof Capabilities, boolean>>>;

/** What one place, such as a listing or a file, knows of a model; what it does not know is left out. */
export interface CardFacts {
  readonly window_tokens?: number;
  readonly max_output_tokens?: number;
  readonly price?: PriceFacts;
  readonly capabilities?: CapabilityFacts;
  /** `YYYY-MM-DD`. */
  readonly as_of?: string;
}
