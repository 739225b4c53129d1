import { Type } from "@sinclair/typebox";

import { closed } from "./list.ts";

const nullableText = Type.Union([Type.String(), Type.Null()]);
const Charge = Type.Object({ tokens: Type.Integer(), usd: Type.Number() }, closed);
const AT = 1_764_460_800_000;
const ENDPOINT = "openrouter:z-ai/glm-5.3-flash@somehost/fp8";

const Planned = Type.Object(
  {
    endpoint: Type.String(),
    instance: Type.String(),
    role: Type.String(),
    contract: Type.String(),
    locale: nullableText,
    prompt: Type.String({ description: "A question of ours, as it would be sent." }),
    max_tokens: Type.Integer(),
    usual: Charge,
    worst: Charge,
    is_assumed: Type.Boolean({ description: "Nobody knows the price; a high one is assumed." }),
  },
  closed,
);

const Day = Type.Object(
  {
    instance: Type.String(),
    probes: Type.Integer(),
    usual: Charge,
    worst: Charge,
    is_assumed: Type.Boolean(),
  },
  closed,
);

/** Everything that a round would send now, and what a day of rounds comes to. */
export const DRY_RUN = {
  schema: Type.Object(
    {
      probes: Type.Array(Planned),
      day: Type.Array(Day),
      usual_usd_per_day: Type.Number(),
      worst_usd_per_day: Type.Number({
        description: "Every answer as long as allowed, every question confirmed twice.",
      }),
      max_usd_per_day: Type.Union([Type.Number(), Type.Null()]),
    },
    closed,
  ),
  example: {
    probes: [
      {
        endpoint: ENDPOINT,
        instance: "openrouter",
        role: "watched",
        contract: "language",
        locale: "pt",
        prompt: "Conte em poucas frases como foi o seu passeio no parque.",
        max_tokens: 400,
        usual: { tokens: 290, usd: 0.0001 },
        worst: { tokens: 850, usd: 0.0003 },
        is_assumed: false,
      },
    ],
    day: [
      {
        instance: "openrouter",
        probes: 48,
        usual: { tokens: 13_920, usd: 0.005 },
        worst: { tokens: 122_400, usd: 0.043 },
        is_assumed: false,
      },
    ],
    usual_usd_per_day: 0.005,
    worst_usd_per_day: 0.043,
    max_usd_per_day: 0.5,
  },
};

const Observed = Type.Object(
  {
    endpoint: Type.String(),
    at: Type.Integer(),
    until_at: Type.Integer(),
    detail: nullableText,
    hindsight: Type.String({ description: "`borne_out`, `not_borne_out` or `unclear`." }),
    rounds: Type.Object({ passed: Type.Integer(), failed: Type.Integer() }, closed),
    live: Type.Object({ good: Type.Integer(), bad: Type.Integer() }, closed),
  },
  closed,
);

/** Who would have been suspended, and what became of them. */
export const REPORT = {
  schema: Type.Object(
    {
      suspensions: Type.Array(Observed),
      counts: Type.Object(
        {
          borne_out: Type.Integer(),
          not_borne_out: Type.Integer(),
          unclear: Type.Integer(),
        },
        closed,
      ),
      wrong_ratio: Type.Union([Type.Number(), Type.Null()], {
        description: "Of those that can be told, the share that was not borne out.",
      }),
    },
    closed,
  ),
  example: {
    suspensions: [
      {
        endpoint: ENDPOINT,
        at: AT,
        until_at: AT + 86_400_000,
        detail: "ttft: too_slow",
        hindsight: "borne_out",
        rounds: { passed: 12, failed: 36 },
        live: { good: 0, bad: 0 },
      },
    ],
    counts: { borne_out: 1, not_borne_out: 0, unclear: 0 },
    wrong_ratio: 0,
  },
};
