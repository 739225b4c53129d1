import { type CardGroup, flat, type Rates, type RateSpan } from "./card-group.ts";

const ALL = ["tools", "vision", "json", "reasoning"] as const;
const FLASH = { window: 1_048_576, output: 65_536, can: ALL } as const;

/** An introductory price that ends when the price announced with it begins. */
const introductory = (usd: Rates, from: string, then: Rates): readonly RateSpan[] => [
  { usd },
  { from, usd: then },
];

const FLASH_RATES = introductory({ input: 0.75, output: 3.75, cached: 0.075 }, "2027-01-01", {
  input: 1.5,
  output: 7.5,
  cached: 0.15,
});

/** Text prices; audio input costs more at some of them. */
export const GEMINI_CARDS: CardGroup = {
  type: "gemini",
  source: "https://ai.google.dev/gemini-api/docs/pricing",
  as_of: "2026-10-26",
  models: [
    {
      names: ["gemini-4-argon"],
      window: 1_048_576,
      rates: introductory({ input: 2, output: 10, cached: 0.1 }, "2026-12-01", {
        input: 4,
        output: 20,
        cached: 0.2,
      }),
    },
    { ...FLASH, names: ["gemini-3.8-flash"], rates: FLASH_RATES },
    { ...FLASH, names: ["gemini-3.7-flash"], rates: FLASH_RATES },
    { ...FLASH, names: ["gemini-3.6-flash"], rates: FLASH_RATES },
    {
      ...FLASH,
      names: ["gemini-3.5-flash"],
      rates: flat({ input: 1.5, output: 9, cached: 0.15 }),
    },
    {
      ...FLASH,
      names: ["gemini-3.5-flash-lite"],
      rates: flat({ input: 0.3, output: 2.5, cached: 0.03 }),
    },
    {
      ...FLASH,
      names: ["gemini-3.1-pro-preview"],
      rates: [
        {
          usd: { input: 2, output: 12, cached: 0.2 },
          long: { above: 200_000, usd: { input: 4, output: 18, cached: 0.4 } },
        },
      ],
    },
    {
      ...FLASH,
      names: ["gemini-3.1-flash-lite"],
      rates: flat({ input: 0.25, output: 1.5, cached: 0.025 }),
    },
    {
      ...FLASH,
      names: ["gemini-2.5-pro"],
      rates: [
        {
          usd: { input: 1.25, output: 10, cached: 0.125 },
          long: { above: 200_000, usd: { input: 2.5, output: 15, cached: 0.25 } },
        },
      ],
    },
    {
      ...FLASH,
      names: ["gemini-2.5-flash"],
      rates: flat({ input: 0.3, output: 2.5, cached: 0.03 }),
    },
    {
      ...FLASH,
      names: ["gemini-2.5-flash-lite"],
      rates: flat({ input: 0.1, output: 0.4, cached: 0.01 }),
    },
    // Served here at no charge, with no paid tier.
    ...["gemma-4-31b-it", "gemma-4-26b-a4b-it"].map((name) => ({
      names: [name] as const,
      window: 262_144,
      rates: flat({ input: 0, output: 0, cached: 0 }),
    })),
    {
      names: ["gemini-embedding-2"],
      window: 8192,
      cannot: ALL,
      rates: flat({ input: 0.2, output: 0 }),
    },
    { names: ["gemini-embedding-001"], cannot: ALL, rates: flat({ input: 0.15, output: 0 }) },
  ],
};
