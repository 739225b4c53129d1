import { type Static, type TSchema, Type } from "@sinclair/typebox";

import { closed, pageOf } from "./list.ts";

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const instant = () => nullable(Type.Integer({ description: "Epoch ms." }));
const text = () => nullable(Type.String());

const AT = 1_764_460_800_000;
const ENDPOINT = "openrouter:z-ai/glm-5.3-flash@somehost/fp8";
const PLACE = {
  endpoint: ENDPOINT,
  instance: "openrouter",
  model: "z-ai/glm-5.3-flash",
  host: "somehost/fp8",
};

const place = {
  endpoint: Type.String({ description: "`instance:model`, at a gateway with `@` and the host." }),
  instance: Type.String(),
  model: Type.String(),
  host: text(),
};

/** An endpoint as the canary knows it. */
export const Endpoint = Type.Object(
  {
    ...place,
    state: Type.Union([Type.Literal("ok"), Type.Literal("suspended")]),
    until_at: nullable(
      Type.Integer({
        description: "End of its suspension, which counts on while the canary observes.",
      }),
    ),
    is_present: Type.Boolean({ description: "The last round saw it." }),
    is_production: Type.Boolean({
      description: "Requests can be sent to it, and nobody has excluded it.",
    }),
    level: Type.Integer({ description: "Rung of the ladder, 0 to 3." }),
    fail_streak: Type.Integer(),
    clean_streak: Type.Integer(),
    is_held: Type.Boolean({ description: "It fails, and too few others are left to suspend it." }),
    last_bad_at: instant(),
    last_fault: text(),
  },
  closed,
);

const Spent = Type.Object(
  { instance: Type.String(), tokens: Type.Integer(), usd: Type.Number() },
  closed,
);

export const Status = Type.Object(
  {
    enabled: Type.Boolean({
      description: "With everything else null it waits until its state can be read.",
    }),
    mode: nullable(Type.String({ description: "`observe` or `enforce`; null while it is off." })),
    interval_ms: nullable(Type.Integer()),
    round: nullable(
      Type.Object(
        {
          n: Type.Integer({ description: "Of the last one; 0 before the first." }),
          is_running: Type.Boolean(),
          last_ended_at: instant(),
          next_at: instant(),
        },
        closed,
      ),
    ),
    spending: nullable(
      Type.Object(
        {
          usd_today: Type.Number({
            description: "Of the UTC day, probes under way at their most.",
          }),
          max_usd_per_day: Type.Number(),
          by_instance: Type.Array(Spent),
        },
        closed,
      ),
    ),
    is_filter_probe_weak: Type.Boolean({
      description: "Hosts that are known to filter let the question through: it blames nobody now.",
    }),
    endpoints: Type.Array(Endpoint),
  },
  closed,
);

export const STATUS: Static<typeof Status> = {
  enabled: true,
  mode: "enforce",
  interval_ms: 1_800_000,
  round: { n: 12, is_running: false, last_ended_at: AT, next_at: AT + 1_790_000 },
  spending: {
    usd_today: 0.031,
    max_usd_per_day: 0.5,
    by_instance: [{ instance: "openrouter", tokens: 41_200, usd: 0.031 }],
  },
  is_filter_probe_weak: false,
  endpoints: [
    {
      ...PLACE,
      state: "suspended",
      until_at: AT + 86_400_000,
      is_present: true,
      is_production: true,
      level: 1,
      fail_streak: 0,
      clean_streak: 0,
      is_held: false,
      last_bad_at: AT,
      last_fault: "ttft: too_slow",
    },
  ],
};

const outcome = {
  contract: Type.String({ description: "`ttft`, `filter`, `structured` or `language`." }),
  locale: text(),
  result: Type.String({ description: "`pass`, `fail`, `inconclusive` or `transport`." }),
  reason: text(),
};

const Round = Type.Object(
  {
    round_id: Type.String(),
    round_n: Type.Integer(),
    role: Type.String({ description: "`watched` or `control`." }),
    ...place,
    groups: Type.Array(Type.String()),
    is_production: Type.Boolean(),
    mode: Type.String(),
    started_at: Type.Integer(),
    ended_at: Type.Integer(),
    interval_ms: Type.Integer(),
    result: outcome.result,
    outcomes: Type.Array(
      Type.Object({ ...outcome, detected: Type.Optional(Type.String()) }, closed),
    ),
  },
  closed,
);

export const ROUNDS = {
  schema: pageOf(Round),
  example: {
    items: [
      {
        round_id: "0197c3f1-7a50-7000-8000-5d3c2f6f0e01",
        round_n: 12,
        role: "watched",
        ...PLACE,
        groups: ["openrouter:z-ai/glm-5.3-flash"],
        is_production: true,
        mode: "enforce",
        started_at: AT - 42_000,
        ended_at: AT,
        interval_ms: 1_800_000,
        result: "fail",
        outcomes: [{ contract: "ttft", locale: null, result: "fail", reason: "too_slow" }],
      },
    ],
    next: null,
  },
};

const amount = () => nullable(Type.Number());

const Probe = Type.Object(
  {
    round_id: Type.String(),
    role: Type.String(),
    endpoint: place.endpoint,
    instance: Type.String(),
    contract: outcome.contract,
    locale: text(),
    attempt: Type.Integer({ description: "1 for the question, 2 and 3 for its confirmations." }),
    at: Type.Integer(),
    result: text(),
    reason: text(),
    detected: text(),
    ttft_ms: amount(),
    duration_ms: amount(),
    input_tokens: amount(),
    output_tokens: amount(),
    charged_tokens: Type.Number(),
    charged_usd: Type.Number({ description: "As billed, or the most it can have been." }),
  },
  closed,
);

export const PROBES = {
  schema: pageOf(Probe),
  example: {
    items: [
      {
        round_id: "0197c3f1-7a50-7000-8000-5d3c2f6f0e01",
        role: "watched",
        endpoint: ENDPOINT,
        instance: "openrouter",
        contract: "ttft",
        locale: null,
        attempt: 1,
        at: AT - 40_000,
        result: "fail",
        reason: "too_slow",
        detected: null,
        ttft_ms: null,
        duration_ms: 10_001,
        input_tokens: null,
        output_tokens: null,
        charged_tokens: 512,
        charged_usd: 0.0002,
      },
    ],
    next: null,
  },
};

const Event = Type.Object(
  {
    id: Type.String(),
    kind: Type.String(),
    ...place,
    at: Type.Integer(),
    round_id: text(),
    until_at: instant(),
    level: Type.Integer(),
    detail: text(),
    is_news: Type.Boolean(),
    forgives: Type.Boolean(),
  },
  closed,
);

export const EVENTS = {
  schema: pageOf(Event),
  example: {
    items: [
      {
        id: `suspended ${ENDPOINT} ${AT}`,
        kind: "suspended",
        ...PLACE,
        at: AT,
        round_id: "0197c3f1-7a50-7000-8000-5d3c2f6f0e01",
        until_at: AT + 86_400_000,
        level: 1,
        detail: "ttft: too_slow",
        is_news: true,
        forgives: false,
      },
    ],
    next: null,
  },
};
