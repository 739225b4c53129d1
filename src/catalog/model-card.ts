/** Prices of a request whose prompt is long; they hold for all of its tokens. */
export interface LongPromptPrice {
  /** The prices hold for prompts of more tokens than this, cached ones included. */
  readonly above_tokens: number;
  readonly input_usd: number | null;
  readonly output_usd: number | null;
  readonly cached_input_usd: number | null;
  readonly cache_write_usd: number | null;
}

/** Prices in USD per million tokens; null where a price is not known, which is never zero. */
export interface Price {
  readonly input_usd: number | null;
  readonly output_usd: number | null;
  /** For input tokens read from the vendor's cache; null means not known, not free. */
  readonly cached_input_usd: number | null;
  /** For input tokens written to the vendor's cache, at its shortest keeping time. */
  readonly cache_write_usd?: number | null;
  /** In USD per request, beside its tokens. */
  readonly request_usd?: number | null;
  readonly long_prompt?: LongPromptPrice | null;
}

/** What a model can do; null where nobody said. */
export interface Capabilities {
  readonly tools: boolean | null;
  readonly vision: boolean | null;
  readonly json: boolean | null;
  readonly reasoning: boolean | null;
}

/** What is known of one model at one instance. Every field may be unknown. */
export interface ModelCard {
  readonly window_tokens: number | null;
  readonly max_output_tokens: number | null;
  readonly price: Price;
  readonly capabilities: Capabilities;
  /** Where the facts come from, such as `bundled`, `listing`, `override`, `self-hosted`. */
  readonly source: string;
  /** Date the facts were taken, `YYYY-MM-DD`; null for a live listing's own or unknown. */
  readonly as_of: string | null;
}
