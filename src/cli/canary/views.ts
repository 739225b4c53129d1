import { type Static, type TSchema, Type } from "@sinclair/typebox";

// The parts of the server's answers that are shown; more may be there.

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = nullable(Type.String());
const number = nullable(Type.Number());

export const CanaryView = Type.Object({
  enabled: Type.Boolean(),
  mode: text,
  round: nullable(
    Type.Object({
      n: Type.Number(),
      is_running: Type.Boolean(),
      last_ended_at: number,
      next_at: number,
    }),
  ),
  spending: nullable(Type.Object({ usd_today: Type.Number(), max_usd_per_day: Type.Number() })),
  is_filter_probe_weak: Type.Boolean(),
  endpoints: Type.Array(
    Type.Object({
      endpoint: Type.String(),
      state: Type.String(),
      until_at: number,
      is_present: Type.Boolean(),
      is_held: Type.Boolean(),
      fail_streak: Type.Number(),
      last_fault: text,
    }),
  ),
});
export type CanaryView = Static<typeof CanaryView>;

export const Begun = Type.Object({ started: Type.Boolean(), round_n: Type.Number() });

export const Lifted = Type.Object({ endpoint: Type.String(), level: Type.Number() });

const Outcome = Type.Object({
  contract: Type.String(),
  locale: text,
  result: Type.String(),
  reason: text,
});

export const RoundList = Type.Object({
  items: Type.Array(
    Type.Object({
      round_n: Type.Number(),
      role: Type.String(),
      endpoint: Type.String(),
      result: Type.String(),
      outcomes: Type.Array(Outcome),
    }),
  ),
});

export const EventList = Type.Object({
  items: Type.Array(
    Type.Object({
      kind: Type.String(),
      endpoint: Type.String(),
      at: Type.Number(),
      until_at: number,
      detail: text,
    }),
  ),
});

export const DryRunView = Type.Object({
  probes: Type.Array(
    Type.Object({
      endpoint: Type.String(),
      contract: Type.String(),
      locale: text,
      prompt: Type.String(),
      worst: Type.Object({ usd: Type.Number() }),
      is_assumed: Type.Boolean(),
    }),
  ),
  usual_usd_per_day: Type.Number(),
  worst_usd_per_day: Type.Number(),
  max_usd_per_day: number,
});

export const ReportView = Type.Object({
  suspensions: Type.Array(
    Type.Object({
      endpoint: Type.String(),
      at: Type.Number(),
      detail: text,
      hindsight: Type.String(),
    }),
  ),
  wrong_ratio: number,
});
