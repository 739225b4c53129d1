import { type CardGroup, flat } from "./card-group.ts";

const GPT_OSS = {
  can: ["tools", "json", "reasoning"],
  cannot: ["vision"],
} as const;

const GROQ_CARDS: CardGroup = {
  type: "groq",
  source: "https://groq.com/pricing",
  as_of: "2026-10-26",
  models: [
    {
      ...GPT_OSS,
      names: ["openai/gpt-oss-120b"],
      window: 131_072,
      output: 65_536,
      rates: flat({ input: 0.15, output: 0.6, cached: 0.075 }),
    },
    {
      ...GPT_OSS,
      names: ["openai/gpt-oss-20b"],
      window: 131_072,
      rates: flat({ input: 0.075, output: 0.3, cached: 0.0375 }),
    },
    { names: ["qwen/qwen3.8-27b"], window: 131_072, rates: flat({ input: 0.8, output: 4 }) },
    { names: ["qwen/qwen3-32b"], window: 131_072, rates: flat({ input: 0.29, output: 0.59 }) },
    {
      names: ["llama-3.3-70b-versatile"],
      window: 131_072,
      rates: flat({ input: 0.59, output: 0.79 }),
    },
    {
      names: ["llama-3.1-8b-instant"],
      window: 131_072,
      rates: flat({ input: 0.05, output: 0.08 }),
    },
  ],
};

const CEREBRAS_CARDS: CardGroup = {
  type: "cerebras",
  source: "https://www.cerebras.ai/pricing",
  as_of: "2026-10-26",
  models: [
    // Windows depend on the account: a free one has half of a paid one's.
    { ...GPT_OSS, names: ["gpt-oss-120b"], rates: flat({ input: 0.35, output: 0.75 }) },
    { names: ["qwen-3.8-27b"], rates: flat({ input: 0.99, output: 1.49 }) },
  ],
};

const MINIMAX_CARDS: CardGroup = {
  type: "minimax",
  source: "https://platform.minimax.io/docs/pricing/overview",
  as_of: "2026-10-26",
  models: [
    {
      names: ["MiniMax-M3.1-Flash"],
      window: 1_000_000,
      rates: flat({ input: 0.15, output: 0.6, cached: 0.015 }),
    },
    {
      names: ["MiniMax-M3"],
      window: 1_000_000,
      rates: [
        {
          usd: { input: 0.3, output: 1.2, cached: 0.06 },
          long: { above: 512_000, usd: { input: 0.6, output: 2.4, cached: 0.12 } },
        },
      ],
    },
    {
      names: ["MiniMax-M2.7"],
      window: 204_800,
      rates: flat({ input: 0.3, output: 1.2, cached: 0.06, write: 0.375 }),
    },
  ],
};

const COHERE_CARDS: CardGroup = {
  type: "cohere",
  source: "https://cohere.com/pricing",
  as_of: "2026-10-26",
  models: [
    { names: ["command-a-03-2025"], rates: flat({ input: 2.5, output: 10 }) },
    { names: ["command-r-plus-08-2024"], rates: flat({ input: 2.5, output: 10 }) },
    { names: ["command-r-08-2024"], rates: flat({ input: 0.15, output: 0.6 }) },
    { names: ["command-r7b-12-2024"], rates: flat({ input: 0.0375, output: 0.15 }) },
    { names: ["embed-v4.0"], window: 128_000, rates: flat({ input: 0.12, output: 0 }) },
  ],
};

/** Vendors of which only a few models are priced here. */
export const OTHER_CARDS: readonly CardGroup[] = [
  GROQ_CARDS,
  CEREBRAS_CARDS,
  MINIMAX_CARDS,
  COHERE_CARDS,
];
