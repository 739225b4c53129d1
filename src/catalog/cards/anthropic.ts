import { type CardGroup, flat } from "./card-group.ts";

// `json` stays open: the OpenAI-compatible path ignores `response_format`.
const CAN = { can: ["tools", "vision", "reasoning"] } as const;
const MILLION = { ...CAN, window: 1_000_000, output: 128_000 } as const;
const EARLIER = { ...CAN, window: 200_000, output: 64_000 } as const;
const OPUS_4 = {
  ...CAN,
  window: 1_000_000,
  rates: flat({ input: 5, output: 25, cached: 0.5, write: 6.25 }),
} as const;

export const ANTHROPIC_CARDS: CardGroup = {
  type: "anthropic",
  source: "https://platform.claude.com/docs/en/about-claude/pricing",
  as_of: "2026-11-04",
  models: [
    {
      ...MILLION,
      names: ["claude-fable-5-2"],
      rates: flat({ input: 8, output: 40, cached: 0.2, write: 10 }),
    },
    {
      ...MILLION,
      names: ["claude-fable-5-1"],
      rates: flat({ input: 10, output: 50, cached: 0.25, write: 12.5 }),
    },
    {
      ...MILLION,
      names: ["claude-fable-5"],
      rates: flat({ input: 10, output: 50, cached: 1, write: 12.5 }),
    },
    {
      ...MILLION,
      names: ["claude-opus-5-5"],
      rates: flat({ input: 4, output: 20, cached: 0.2, write: 5 }),
    },
    {
      ...MILLION,
      names: ["claude-opus-5"],
      rates: flat({ input: 5, output: 25, cached: 0.5, write: 6.25 }),
    },
    {
      ...MILLION,
      names: ["claude-sonnet-5-5"],
      rates: flat({ input: 2, output: 10, cached: 0.1, write: 2.5 }),
    },
    {
      ...MILLION,
      names: ["claude-sonnet-5"],
      rates: flat({ input: 2, output: 10, cached: 0.2, write: 2.5 }),
    },
    {
      ...MILLION,
      names: ["claude-haiku-5-5"],
      rates: [
        {
          usd: { input: 0.1, output: 0.5, cached: 0.01, write: 0.125 },
          long: { above: 100_000, usd: { input: 0.5, output: 2.5, cached: 0.05, write: 0.625 } },
        },
      ],
    },
    { ...OPUS_4, names: ["claude-opus-4-8"] },
    { ...OPUS_4, names: ["claude-opus-4-7"] },
    { ...OPUS_4, names: ["claude-opus-4-6"] },
    {
      ...CAN,
      window: 1_000_000,
      names: ["claude-sonnet-4-6"],
      rates: flat({ input: 3, output: 15, cached: 0.3, write: 3.75 }),
    },
    {
      ...EARLIER,
      names: ["claude-opus-4-5"],
      rates: flat({ input: 5, output: 25, cached: 0.5, write: 6.25 }),
    },
    {
      ...EARLIER,
      names: ["claude-sonnet-4-5"],
      rates: flat({ input: 3, output: 15, cached: 0.3, write: 3.75 }),
    },
    {
      ...EARLIER,
      names: ["claude-haiku-4-5"],
      rates: flat({ input: 1, output: 5, cached: 0.1, write: 1.25 }),
    },
  ],
};
