import { Type } from "@sinclair/typebox";

import { closed, duration, optional } from "./schema-kinds.ts";

export const CatalogSection = Type.Object(
  {
    file: optional(
      Type.String({
        minLength: 1,
        description:
          "TOML or JSON file of your own model cards, a table for each `instance:model`; what it says beats listings and the built-in catalogue. Relative to this file.",
        examples: ["cards.toml"],
      }),
    ),
  },
  { ...closed, description: "Windows, prices and abilities of models." },
);

export const BalancesSection = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description: "Ask vendors that can be asked how much money is left.",
    }),
    interval: duration(
      "15m",
      "How often an instance in use is asked. A balance an hour old counts as unknown.",
    ),
    max_per_hour: Type.Integer({
      default: 60,
      minimum: 1,
      maximum: 3600,
      description: "Calls within an hour, all instances together, that the timer may make.",
    }),
  },
  { ...closed, description: "What is left at vendors, for the strategy `most_credits`." },
);
