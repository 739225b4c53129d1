import { type CardGroup, flat, type Rates, type RateSpan } from "./card-group.ts";

const CAN = { can: ["tools", "json", "reasoning"] } as const;

/** From 200,000 tokens of prompt on everything costs twice as much. */
const doubling = (usd: Required<Omit<Rates, "write">>): readonly RateSpan[] => [
  {
    usd,
    long: {
      above: 199_999,
      usd: { input: 2 * usd.input, output: 2 * usd.output, cached: 2 * usd.cached },
    },
  },
];

export const XAI_CARDS: CardGroup = {
  type: "xai",
  source: "https://docs.x.ai/docs/models",
  as_of: "2026-10-26",
  models: [
    {
      ...CAN,
      names: ["grok-4.7"],
      window: 500_000,
      rates: doubling({ input: 2, output: 6, cached: 0.5 }),
    },
    {
      ...CAN,
      names: ["grok-4.6"],
      window: 500_000,
      rates: doubling({ input: 2, output: 6, cached: 0.5 }),
    },
    {
      names: ["grok-4.5"],
      can: ["tools", "vision", "json", "reasoning"],
      window: 500_000,
      rates: doubling({ input: 2, output: 6, cached: 0.3 }),
    },
    {
      ...CAN,
      names: ["grok-4.3"],
      window: 1_000_000,
      rates: doubling({ input: 1.25, output: 2.5, cached: 0.2 }),
    },
    {
      names: ["grok-4.20", "grok-4.20-reasoning", "grok-4.20-0309", "grok-4.20-0309-reasoning"],
      can: ["tools", "vision", "json", "reasoning"],
      window: 1_000_000,
      rates: doubling({ input: 1.25, output: 2.5, cached: 0.2 }),
    },
    {
      names: ["grok-build-0.1"],
      window: 256_000,
      rates: doubling({ input: 1, output: 2, cached: 0.2 }),
    },
    {
      names: ["grok-code-fast-1"],
      window: 256_000,
      rates: flat({ input: 0.2, output: 1.5, cached: 0.02 }),
    },
  ],
};
