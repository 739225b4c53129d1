import {
  type BundledModel,
  type CardGroup,
  flat,
  type Rates,
  type RateSpan,
} from "./card-group.ts";

const ALL = ["tools", "vision", "json", "reasoning"] as const;

/** Prompts of more than 272,000 tokens: input at twice the price, output at one and a half times. */
function withLongPrompts(usd: Rates): readonly RateSpan[] {
  const { input, output, cached, write } = usd;
  const long = {
    input: 2 * input,
    output: 1.5 * output,
    ...(cached !== undefined && { cached: 2 * cached }),
    ...(write !== undefined && { write: 2 * write }),
  };
  return [{ usd, long: { above: 272_000, usd: long } }];
}

const MILLION = { window: 1_050_000, output: 128_000, can: ALL } as const;
const SMALLER = { window: 400_000, output: 128_000, can: ALL } as const;

const GPT_6: readonly BundledModel[] = [
  // Its long-prompt and cache prices were not to be had.
  { ...MILLION, names: ["gpt-6.2-astra"], as_of: "2026-11-18" },
  {
    ...MILLION,
    names: ["gpt-6.2-sol"],
    rates: withLongPrompts({ input: 2, output: 10, cached: 0.1, write: 2.5 }),
    as_of: "2026-11-18",
  },
  {
    ...MILLION,
    names: ["gpt-6.1-sol"],
    rates: withLongPrompts({ input: 2, output: 10, cached: 0.1, write: 2.5 }),
  },
  {
    ...MILLION,
    names: ["gpt-6.1-terra"],
    rates: withLongPrompts({ input: 1, output: 5, cached: 0.05, write: 1.25 }),
  },
  {
    ...MILLION,
    names: ["gpt-6-astra"],
    rates: withLongPrompts({ input: 10, output: 50, cached: 1, write: 12.5 }),
  },
  {
    ...MILLION,
    names: ["gpt-6-sol"],
    rates: withLongPrompts({ input: 2, output: 10, cached: 0.2, write: 2.5 }),
  },
  {
    ...MILLION,
    names: ["gpt-6-luna"],
    rates: withLongPrompts({ input: 0.1, output: 0.5, cached: 0.01, write: 0.125 }),
  },
];

const GPT_5: readonly BundledModel[] = [
  {
    ...MILLION,
    names: ["gpt-5.6-sol"],
    rates: withLongPrompts({ input: 4, output: 20, cached: 0.4, write: 5 }),
  },
  {
    ...MILLION,
    names: ["gpt-5.6-terra"],
    rates: withLongPrompts({ input: 2, output: 12, cached: 0.2, write: 2.5 }),
  },
  {
    ...MILLION,
    names: ["gpt-5.6-luna"],
    rates: withLongPrompts({ input: 0.2, output: 1.2, cached: 0.02, write: 0.25 }),
  },
  { names: ["gpt-5.5"], can: ALL, rates: withLongPrompts({ input: 5, output: 30, cached: 0.5 }) },
  {
    ...MILLION,
    names: ["gpt-5.4"],
    rates: withLongPrompts({ input: 2.5, output: 15, cached: 0.25 }),
  },
  {
    ...SMALLER,
    names: ["gpt-5.4-mini"],
    rates: flat({ input: 0.75, output: 4.5, cached: 0.075 }),
  },
  {
    ...SMALLER,
    names: ["gpt-5.4-nano"],
    rates: flat({ input: 0.2, output: 1.25, cached: 0.02 }),
  },
  { ...SMALLER, names: ["gpt-5.2"], rates: flat({ input: 1.75, output: 14, cached: 0.175 }) },
  { ...SMALLER, names: ["gpt-5.1"], rates: flat({ input: 1.25, output: 10, cached: 0.125 }) },
  { ...SMALLER, names: ["gpt-5"], rates: flat({ input: 1.25, output: 10, cached: 0.125 }) },
  { ...SMALLER, names: ["gpt-5-mini"], rates: flat({ input: 0.25, output: 2, cached: 0.025 }) },
  { ...SMALLER, names: ["gpt-5-nano"], rates: flat({ input: 0.05, output: 0.4, cached: 0.005 }) },
];

const GPT_4_1 = { window: 1_047_576, output: 32_768 } as const;
const GPT_4O = { window: 128_000, output: 16_384 } as const;
const PLAIN = { can: ["tools", "vision", "json"], cannot: ["reasoning"] } as const;
const O_SERIES = { window: 200_000, output: 100_000 } as const;
const EMBEDS = { window: 8192, cannot: ALL } as const;

const EARLIER: readonly BundledModel[] = [
  { ...GPT_4_1, ...PLAIN, names: ["gpt-4.1"], rates: flat({ input: 2, output: 8, cached: 0.5 }) },
  {
    ...GPT_4_1,
    ...PLAIN,
    names: ["gpt-4.1-mini"],
    rates: flat({ input: 0.4, output: 1.6, cached: 0.1 }),
  },
  {
    ...GPT_4_1,
    ...PLAIN,
    names: ["gpt-4.1-nano"],
    rates: flat({ input: 0.1, output: 0.4, cached: 0.025 }),
  },
  { ...GPT_4O, ...PLAIN, names: ["gpt-4o"], rates: flat({ input: 2.5, output: 10, cached: 1.25 }) },
  // The first snapshot kept its price when the name moved on.
  {
    window: 128_000,
    ...PLAIN,
    names: ["gpt-4o-2024-05-13"],
    rates: flat({ input: 5, output: 15 }),
  },
  {
    ...GPT_4O,
    ...PLAIN,
    names: ["gpt-4o-mini"],
    rates: flat({ input: 0.15, output: 0.6, cached: 0.075 }),
  },
  { ...O_SERIES, can: ALL, names: ["o3"], rates: flat({ input: 2, output: 8, cached: 0.5 }) },
  {
    ...O_SERIES,
    can: ALL,
    names: ["o4-mini"],
    rates: flat({ input: 1.1, output: 4.4, cached: 0.275 }),
  },
  {
    ...O_SERIES,
    can: ["tools", "json", "reasoning"],
    cannot: ["vision"],
    names: ["o3-mini"],
    rates: flat({ input: 1.1, output: 4.4, cached: 0.55 }),
  },
  { ...O_SERIES, can: ALL, names: ["o1"], rates: flat({ input: 15, output: 60, cached: 7.5 }) },
  { ...EMBEDS, names: ["text-embedding-3-large"], rates: flat({ input: 0.13, output: 0 }) },
  { ...EMBEDS, names: ["text-embedding-3-small"], rates: flat({ input: 0.02, output: 0 }) },
  { ...EMBEDS, names: ["text-embedding-ada-002"], rates: flat({ input: 0.1, output: 0 }) },
];

export const OPENAI_CARDS: CardGroup = {
  type: "openai",
  source: "https://developers.openai.com/api/docs/pricing",
  as_of: "2026-11-05",
  models: [...GPT_6, ...GPT_5, ...EARLIER],
};
