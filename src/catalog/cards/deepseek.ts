import type { CardGroup, Rates, RateSpan } from "./card-group.ts";

const MODEL = { window: 1_000_000, output: 384_000 } as const;

/** Twice as much at peak hours. On Chinese public holidays there are none, which is not known here. */
const withPeak = (usd: Required<Omit<Rates, "write">>): readonly RateSpan[] => [
  { usd },
  {
    usd: { input: 2 * usd.input, output: 2 * usd.output, cached: 2 * usd.cached },
    peak_hours: [
      [1, 4],
      [6, 10],
    ],
  },
];

export const DEEPSEEK_CARDS: CardGroup = {
  type: "deepseek",
  source: "https://api-docs.deepseek.com/quick_start/pricing",
  as_of: "2026-10-26",
  models: [
    {
      ...MODEL,
      names: ["deepseek-flash", "deepseek-v4-flash", "deepseek-v4-flash-vision-exp"],
      can: ["tools", "vision", "json", "reasoning"],
      rates: withPeak({ input: 0.15, output: 0.6, cached: 0.003 }),
    },
    {
      ...MODEL,
      names: ["deepseek-v4-pro"],
      can: ["tools", "json", "reasoning"],
      cannot: ["vision"],
      rates: withPeak({ input: 0.66, output: 1.98, cached: 0.022 }),
    },
  ],
};
