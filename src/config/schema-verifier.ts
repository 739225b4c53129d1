import { type Static, Type } from "@sinclair/typebox";

import { closed, duration, entry, optional, secret } from "./schema-kinds.ts";

export const VerifierSection = Type.Object(
  {
    mode: Type.Union([Type.Literal("enforce"), Type.Literal("observe")], {
      default: "enforce",
      description:
        "Bench targets and instances whose answers are proven bad, or only record and tell what would have been benched.",
    }),
    ignore: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description:
        "Signatures that are recorded and nothing more: they bench nothing, and no other target is asked.",
      examples: [["stray_leading_token"]],
    }),
    incident_ratio: Type.Number({
      default: 0.3,
      minimum: 0.05,
      maximum: 0.95,
      description:
        "Share of bad answers that is an incident; more where four times the usual share is more.",
    }),
    floor: Type.Number({
      default: 0.02,
      minimum: 0.0001,
      maximum: 0.25,
      description:
        "Lowest share of bad answers of a target that is taken for usual, however clean its last 24 hours were.",
    }),
    provider_floor: Type.Number({
      default: 0.005,
      minimum: 0.0001,
      maximum: 0.25,
      description: "The same for faults of a whole instance: broken encodings, error pages.",
    }),
    bench: duration("60s", "First bench by a signature; doubles each time a trial fails."),
    bench_cap: duration("30m", "Longest bench by a signature, before ±10 % of chance."),
    clean_to_close: Type.Integer({
      default: 5,
      minimum: 1,
      maximum: 100,
      description: "Clean answers in a row, one at a time, that end a bench.",
    }),
    probation: Type.Integer({
      default: 50,
      minimum: 0,
      maximum: 10_000,
      description: "Answers after a bench during which less suffices for the next one.",
    }),
  },
  {
    ...closed,
    description:
      "What follows from answers that look wrong: empty ones, broken encodings, error pages and more. Which share of them is unusual is learned from the last 24 hours.",
  },
);
export type VerifierSection = Static<typeof VerifierSection>;

const NOTICE_KINDS = [
  "breaker_opened",
  "breaker_closed",
  "degraded_service",
  "rig_suspected",
  "runtime",
  "persistent_failover",
  "canary_suspended",
  "canary_would_suspend",
  "canary_floor",
  "canary_restored",
  "canary_budget",
  "canary_filter_weak",
  "signature_warning",
  "trip_withheld",
] as const;

/** What is told where nothing is said; the others come before or instead of a bench. */
export const USUAL_NOTICES: readonly string[] = NOTICE_KINDS.slice(0, -2);

const words = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(", ");

/** One receiver of notices. */
export const Notification = Type.Object(
  {
    type: Type.Union([Type.Literal("webhook"), Type.Literal("ntfy")], {
      default: "webhook",
      description: "A POST of JSON, or of plain text with a title, as ntfy takes it.",
    }),
    url: secret("Where to post to, with its path and query.", "${ALERT_URL}"),
    token: secret("Sent as `authorization: Bearer`.", "file:/run/secrets/ntfy_token"),
    kinds: optional(
      Type.Array(Type.Union(NOTICE_KINDS.map((kind) => Type.Literal(kind))), {
        description: `What is told, of ${words(NOTICE_KINDS)}. Default: all but the last two.`,
        examples: [["breaker_opened", "breaker_closed"]],
      }),
    ),
    timeout: duration("5s", "Limit of one try."),
    retries: Type.Integer({
      default: 3,
      minimum: 0,
      maximum: 10,
      description:
        "Further tries after a network error, 408, 429 or 5xx; 1 s apart, then 5, 25, 60.",
    }),
  },
  entry,
);
export type Notification = Static<typeof Notification>;
