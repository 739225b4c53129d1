import { type Static, type TSchema, Type } from "@sinclair/typebox";

import { PlanView } from "./plan.ts";

const closed = { additionalProperties: false };
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const Usage = Type.Object(
  { input_tokens: nullable(Type.Integer()), output_tokens: nullable(Type.Integer()) },
  closed,
);
export type Usage = Static<typeof Usage>;

const Verification = Type.Object(
  {
    verdict: Type.String(),
    signature: nullable(Type.String()),
    detail: nullable(Type.String()),
    model_attributable: Type.Union([Type.Literal(0), Type.Literal(1)]),
    trips: Type.Boolean(),
    scope: nullable(Type.String()),
  },
  closed,
);

/** One upstream call, same-target retries included. */
export const Attempt = Type.Object(
  {
    n: Type.Integer({ minimum: 1 }),
    target: Type.String(),
    endpoint: nullable(
      Type.String({
        description: "Behind a gateway: the target, `@`, and what the gateway calls the host.",
      }),
    ),
    retry: Type.Boolean({ description: "True for a second call to the same target." }),
    kind: Type.String({ description: "`ok` or a failure kind." }),
    status: nullable(Type.Integer()),
    vendor_code: nullable(Type.String()),
    started_at: Type.Integer(),
    duration_ms: Type.Number(),
    ttft_ms: nullable(Type.Number()),
    usage: nullable(Usage),
    cost_usd: nullable(Type.Number()),
    verification: nullable(Verification),
  },
  closed,
);
export type Attempt = Static<typeof Attempt>;

const DecisionPlan = Type.Object(
  {
    ...PlanView.properties,
    notes: Type.Array(Type.String(), {
      description: "What the candidates alone do not tell, such as why a session changed target.",
    }),
  },
  closed,
);

const DecisionOutcome = Type.Union([
  Type.Literal("in_progress"),
  Type.Literal("ok"),
  Type.Literal("failed"),
  Type.Literal("cancelled"),
  Type.Literal("blocked"),
  Type.Literal("interrupted"),
]);

/** The persisted record of a request. Never holds prompt, completion or upstream error text. */
export const Decision = Type.Object(
  {
    id: Type.String({ description: "UUIDv7, so ids sort by time." }),
    request_id: Type.String(),
    at: Type.Integer({ description: "When the request was read, epoch ms." }),
    dialect: Type.String({
      description:
        "What the client spoke: `chat`, `messages`, `responses`, `completions` or `embeddings`.",
    }),
    stream: Type.Boolean(),
    asked: Type.String({ description: "The model string of the request, cut to 256 characters." }),
    served: nullable(Type.String({ description: "Key of the target that answered." })),
    profile: nullable(Type.String()),
    lane: nullable(Type.String()),
    pool: nullable(Type.String()),
    strategy: nullable(Type.String()),
    status: nullable(Type.Integer({ description: "HTTP status the client got." })),
    error_code: nullable(Type.String()),
    outcome: DecisionOutcome,
    degraded: Type.Boolean(),
    edits: Type.Array(Type.String(), { description: "Named changes made to body or answer." }),
    duration_ms: nullable(Type.Number()),
    ttft_ms: nullable(Type.Number()),
    usage: nullable(Usage),
    cost_usd: nullable(Type.Number()),
    plan: DecisionPlan,
    attempts: Type.Array(Attempt),
  },
  closed,
);
export type Decision = Static<typeof Decision>;
