import { type CardGroup, flat } from "./card-group.ts";

// Windows and abilities of the others come from the listing, which is rich.
const ALL = ["tools", "vision", "json", "reasoning"] as const;

export const MISTRAL_CARDS: CardGroup = {
  type: "mistral",
  source: "https://mistral.ai/pricing/api",
  as_of: "2026-10-29",
  models: [
    {
      names: ["mistral-large-4", "mistral-large-4-0"],
      window: 1_048_576,
      can: ALL,
      rates: flat({ input: 0.7, output: 2.1, cached: 0.07 }),
    },
    {
      names: ["mistral-large-2512"],
      window: 262_144,
      can: ["tools", "vision"],
      rates: flat({ input: 0.5, output: 1.5, cached: 0.05 }),
    },
    {
      names: ["mistral-medium-3-5", "mistral-medium-latest"],
      window: 262_144,
      can: ALL,
      rates: flat({ input: 1.5, output: 7.5, cached: 0.15 }),
    },
    {
      names: ["mistral-small-2603", "mistral-small-latest"],
      window: 262_144,
      rates: flat({ input: 0.15, output: 0.6, cached: 0.015 }),
    },
    {
      names: ["codestral-2508"],
      window: 256_000,
      rates: flat({ input: 0.3, output: 0.9, cached: 0.03 }),
    },
    {
      names: ["ministral-14b-2512"],
      window: 262_144,
      rates: flat({ input: 0.2, output: 0.2, cached: 0.02 }),
    },
    {
      names: ["ministral-8b-2512", "ministral-8b-latest"],
      window: 262_144,
      rates: flat({ input: 0.15, output: 0.15, cached: 0.015 }),
    },
    {
      names: ["ministral-3b-2512"],
      window: 131_072,
      rates: flat({ input: 0.1, output: 0.1, cached: 0.01 }),
    },
    { names: ["mistral-embed"], window: 8192, rates: flat({ input: 0.1, output: 0 }) },
  ],
};
