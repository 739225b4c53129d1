import type { PriceFacts } from "./card-facts.ts";
import type { BundledModel, Rates, RateSpan } from "./cards/card-group.ts";
import type { LongPromptPrice } from "./model-card.ts";

/** The price of a model at `now`, epoch ms; undefined if none is known for that time. */
export function priceAt({ rates = [] }: BundledModel, now: number): PriceFacts | undefined {
  const span = rates.findLast((candidate) => holds(candidate, new Date(now)));
  if (span === undefined) return undefined;
  const { usd, long } = span;
  return {
    input_usd: usd.input,
    output_usd: usd.output,
    ...(usd.cached !== undefined && { cached_input_usd: usd.cached }),
    ...(usd.write !== undefined && { cache_write_usd: usd.write }),
    ...(long && { long_prompt: longPrompt(long.above, long.usd) }),
  };
}

function holds({ from, peak_hours }: RateSpan, date: Date): boolean {
  if (from !== undefined && date.getTime() < Date.parse(from)) return false;
  if (peak_hours === undefined) return true;
  const day = date.getUTCDay();
  const hour = date.getUTCHours();
  const isWeekday = day !== 0 && day !== 6;
  return isWeekday && peak_hours.some(([start, end]) => hour >= start && hour < end);
}

function longPrompt(above_tokens: number, usd: Rates): LongPromptPrice {
  return {
    above_tokens,
    input_usd: usd.input,
    output_usd: usd.output,
    cached_input_usd: usd.cached ?? null,
    cache_write_usd: usd.write ?? null,
  };
}
