import { type CardGroup, flat } from "./card-group.ts";

const CAN = { can: ["tools", "json", "reasoning"] } as const;

/** Pay as you go; the coding plan is paid by the month. */
export const ZAI_CARDS: CardGroup = {
  type: "zai",
  source: "https://docs.z.ai/guides/overview/pricing",
  as_of: "2026-10-26",
  models: [
    {
      ...CAN,
      names: ["glm-5.3"],
      window: 1_000_000,
      rates: flat({ input: 1.4, output: 4.4, cached: 0.26 }),
    },
    {
      names: ["glm-5.3-flash"],
      can: ["tools", "vision", "json", "reasoning"],
      window: 1_048_576,
      rates: flat({ input: 0.15, output: 0.5, cached: 0.03 }),
    },
    { names: ["glm-5.3-flashx"], rates: flat({ input: 0.37, output: 1.25, cached: 0.075 }) },
    {
      names: ["glm-5.2"],
      window: 1_000_000,
      rates: flat({ input: 1.4, output: 4.4, cached: 0.26 }),
    },
    { names: ["glm-5.1"], rates: flat({ input: 1.4, output: 4.4, cached: 0.26 }) },
    { names: ["glm-5"], rates: flat({ input: 1, output: 3.2, cached: 0.2 }) },
    { names: ["glm-4.7"], rates: flat({ input: 0.6, output: 2.2, cached: 0.11 }) },
    { names: ["glm-4.6"], rates: flat({ input: 0.6, output: 2.2, cached: 0.11 }) },
    { names: ["glm-4.5-air"], rates: flat({ input: 0.2, output: 1.1, cached: 0.03 }) },
  ],
};
