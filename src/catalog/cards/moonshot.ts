import { type CardGroup, flat } from "./card-group.ts";

const K3 = {
  window: 1_048_576,
  output: 1_048_576,
  can: ["tools", "vision", "json", "reasoning"],
} as const;

export const MOONSHOT_CARDS: CardGroup = {
  type: "moonshot",
  source: "https://platform.kimi.ai/docs/pricing/chat",
  as_of: "2026-11-04",
  models: [
    {
      ...K3,
      names: ["kimi-k3.1-pro"],
      rates: flat({ input: 2, output: 10, cached: 0.2, write: 2 }),
    },
    {
      ...K3,
      names: ["kimi-k3.1-pro-highspeed"],
      rates: flat({ input: 4, output: 20, cached: 0.2, write: 4 }),
    },
    { ...K3, names: ["kimi-k3"], rates: flat({ input: 3, output: 15, cached: 0.3, write: 3 }) },
    {
      names: ["kimi-k2.7-code"],
      window: 262_144,
      rates: flat({ input: 0.95, output: 4, cached: 0.19 }),
    },
    {
      names: ["kimi-k2.7-code-highspeed"],
      window: 262_144,
      rates: flat({ input: 1.9, output: 8, cached: 0.38 }),
    },
    {
      names: ["kimi-k2.6"],
      window: 262_144,
      rates: flat({ input: 0.95, output: 4, cached: 0.16 }),
    },
  ],
};
