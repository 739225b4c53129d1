import { type Static, Type } from "@sinclair/typebox";

import { closed, duration, list, optional } from "./schema-kinds.ts";

const MODES = [Type.Literal("observe"), Type.Literal("enforce")];

const limit = (description: string, example: number) =>
  optional(Type.Number({ minimum: 0, maximum: 1_000_000_000, description, examples: [example] }));

/** What is asked in where the config does not say. */
export const USUAL_LOCALES: readonly string[] =
  "pt en es fr de it nl sv pl ru uk tr ar hi ja ko zh".split(" ");

export const CanarySection = Type.Object(
  {
    enabled: Type.Boolean({
      default: false,
      description:
        "Whether synthetic questions are sent to what `models` names, which costs money. Needs `models` and `max_usd_per_day`.",
    }),
    mode: Type.Union(MODES, {
      default: "observe",
      description:
        "Say who would be suspended and do nothing, or move traffic away from endpoints that failed two rounds in a row.",
      writable: true,
    }),
    models: list(
      "What is watched: targets as `instance:model`, and pools as `pool:name`. Of a model at OpenRouter every host is.",
      "openrouter:z-ai/glm-5.3-flash",
    ),
    interval: duration(
      "30m",
      "Time between two rounds, a minute more or less; at least one minute.",
    ),
    max_usd_per_day: limit(
      "Most that all questions of a UTC day may cost, in USD. No question is sent that could pass it.",
      0.5,
    ),
    max_usd_per_provider: limit("The same for each instance. Default: no limit of its own.", 0.2),
    max_tokens_per_provider: limit(
      "Most tokens that questions and answers of a UTC day may have at one instance. Default: no limit.",
      200_000,
    ),
    locales: optional(
      Type.Array(Type.String(), {
        description: `Languages that are asked for in turn, as tags such as \`pt-BR\`. Default: ${USUAL_LOCALES.join(", ")}.`,
        examples: [["pt-BR", "en", "de"]],
      }),
    ),
    locales_per_round: Type.Integer({
      default: 1,
      minimum: 1,
      maximum: 24,
      description: "Languages that an endpoint is asked for in each round.",
    }),
    controls: list(
      "Hosts that are known to filter, as `instance:model@host`: they test the question about filters.",
      "openrouter:z-ai/glm-5.3-flash@strict-host",
    ),
    passive_first: Type.Boolean({
      default: false,
      description:
        "Leave out a question that live traffic has answered well since the last round. Only the time to the first text can be.",
    }),
  },
  {
    ...closed,
    description:
      "Questions that a program can check, asked of every endpoint on a schedule; who fails again and again is suspended. See docs/canary.md.",
  },
);
export type CanarySection = Static<typeof CanarySection>;
