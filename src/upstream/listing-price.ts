import type { PriceFacts } from "../catalog/card-facts.ts";
import { memberOf } from "./model-ids.ts";

/** How a provider type writes prices in its listing. */
interface PriceForm {
  /** What a listed price is multiplied with to be in USD per million tokens. */
  readonly factor: number;
  readonly read: (entry: unknown) => unknown;
  readonly names: { readonly [key in Exclude<keyof PriceFacts, "long_prompt">]?: string };
}

const pricing = (entry: unknown) => memberOf(entry, "pricing");

/** Only types whose unit is known: a price in the wrong one would be off by a million. */
const FORMS: Readonly<Record<string, PriceForm>> = {
  openrouter: {
    factor: 1e6,
    read: pricing,
    names: {
      input_usd: "prompt",
      output_usd: "completion",
      cached_input_usd: "input_cache_read",
      cache_write_usd: "input_cache_write",
      request_usd: "request",
    },
  },
  vercel: {
    factor: 1e6,
    read: pricing,
    names: {
      input_usd: "input",
      output_usd: "output",
      cached_input_usd: "input_cache_read",
      cache_write_usd: "input_cache_write",
    },
  },
  together: {
    factor: 1,
    read: pricing,
    names: { input_usd: "input", output_usd: "output", cached_input_usd: "cached_input" },
  },
  deepinfra: {
    factor: 1,
    read: (entry) => pricing(memberOf(entry, "metadata")),
    names: {
      input_usd: "input_tokens",
      output_usd: "output_tokens",
      cached_input_usd: "cache_read_tokens",
    },
  },
};

/** Whether listings of this provider type say what models cost. */
export const listsPrices = (type: string): boolean => Object.hasOwn(FORMS, type);

/** The prices of a listing's entry in USD; what is dynamic, negative or no number is left out. */
export function listingPrice(type: string, entry: unknown): PriceFacts {
  const form = listsPrices(type) ? FORMS[type] : undefined;
  const listed = form?.read(entry);
  if (form === undefined || listed === undefined) return {};
  const of = (name: string | undefined, factor = form.factor) =>
    name === undefined ? undefined : usd(memberOf(listed, name), factor);
  const { names } = form;
  return withoutUnknown({
    input_usd: of(names.input_usd),
    output_usd: of(names.output_usd),
    cached_input_usd: of(names.cached_input_usd),
    cache_write_usd: of(names.cache_write_usd),
    request_usd: of(names.request_usd, 1),
  });
}

type Loose<T> = { readonly [key in keyof T]: T[key] | undefined };

function withoutUnknown(price: Loose<PriceFacts>): PriceFacts {
  return Object.fromEntries(Object.entries(price).filter(([, value]) => value !== undefined));
}

/** A hundred thousand dollars for a million tokens or a request: nobody asks that. */
const MAX_USD = 100_000;

/** `"-1"` says that the price depends on where the call ends up. */
function usd(listed: unknown, factor: number): number | undefined {
  const isText = typeof listed === "string" && /^\d{1,12}(\.\d{1,20})?(e-?\d{1,2})?$/i.test(listed);
  const value = isText ? Number(listed) : listed;
  if (typeof value !== "number" || !(value >= 0)) return undefined;
  // Ten digits: 0.00000015 times a million is 0.15, not 0.15000000000000002.
  const price = Number((value * factor).toPrecision(10));
  return price <= MAX_USD ? price : undefined;
}
