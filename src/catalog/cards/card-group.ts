import type { Capabilities } from "../model-card.ts";

/** USD per million tokens; what is left out is not known. */
export interface Rates {
  readonly input: number;
  readonly output: number;
  /** Of input read from the vendor's cache. */
  readonly cached?: number;
  /** Of input written to it. */
  readonly write?: number;
}

/** Rates that hold at some times. */
export interface RateSpan {
  readonly usd: Rates;
  /** For prompts of more than `above` tokens. */
  readonly long?: { readonly above: number; readonly usd: Rates };
  /** First day, UTC, `YYYY-MM-DD`; left out, they hold from the start. */
  readonly from?: string;
  /** They hold only on weekdays at these hours, UTC, ends excluded. */
  readonly peak_hours?: readonly (readonly [start: number, end: number])[];
}

/** Facts of one model as its vendor publishes them; what is left out is not known. */
export interface BundledModel {
  /** First the name the vendor prefers, then others it answers to at the same price. */
  readonly names: readonly [string, ...string[]];
  readonly window?: number;
  readonly output?: number;
  /** Of the spans that hold at a time the last one counts. */
  readonly rates?: readonly RateSpan[];
  readonly can?: readonly (keyof Capabilities)[];
  readonly cannot?: readonly (keyof Capabilities)[];
  /** Where it differs from the group's. */
  readonly as_of?: string;
}

/** Models of one provider type. */
export interface CardGroup {
  readonly type: string;
  /** The vendor's own page of prices. */
  readonly source: string;
  /** The day as of which prices were compared with what the vendor published, `YYYY-MM-DD`. */
  readonly as_of: string;
  readonly models: readonly BundledModel[];
}

/** One price for all times and prompts. */
export const flat = (usd: Rates): readonly RateSpan[] => [{ usd }];
