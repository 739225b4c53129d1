import { type Static, Type } from "@sinclair/typebox";

const closed = { additionalProperties: false };
const count = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description }));
const usd = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 100_000, description }));
const ability = (description: string) => Type.Optional(Type.Boolean({ description }));

const LongPrompt = Type.Object(
  {
    above_tokens: Type.Integer({
      minimum: 1,
      description: "For prompts of more tokens than this.",
    }),
    input_usd: Type.Number({ minimum: 0, maximum: 100_000 }),
    output_usd: Type.Number({ minimum: 0, maximum: 100_000 }),
    cached_input_usd: usd("Of input from the cache."),
    cache_write_usd: usd("Of input written to the cache."),
  },
  closed,
);

const PriceEntry = Type.Object(
  {
    input_usd: usd("USD per million input tokens."),
    output_usd: usd("USD per million output tokens."),
    cached_input_usd: usd("Of input from the cache."),
    cache_write_usd: usd("Of input written to the cache."),
    request_usd: usd("USD per request, beside its tokens."),
    long_prompt: Type.Optional(LongPrompt),
  },
  closed,
);
export type PriceEntry = Static<typeof PriceEntry>;

/** What an operator may say of one model. */
export const CardEntry = Type.Object(
  {
    window_tokens: count("Tokens of prompt and answer together."),
    max_output_tokens: count("Longest answer."),
    price: Type.Optional(PriceEntry),
    capabilities: Type.Optional(
      Type.Object(
        {
          tools: ability("Calls tools."),
          vision: ability("Reads images."),
          json: ability("Answers in JSON on demand."),
          reasoning: ability("Thinks before it answers."),
        },
        closed,
      ),
    ),
    as_of: Type.Optional(
      Type.String({
        pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
        description: "Day as of which the price holds.",
        format_hint: "date",
      }),
    ),
  },
  closed,
);
export type CardEntry = Static<typeof CardEntry>;
