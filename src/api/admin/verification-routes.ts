import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { refuse } from "../refusal.ts";
import { instant, readInstants } from "./instants.ts";
import { closed, DEFAULT_LIMIT, pageOf, pageParameters } from "./list.ts";

interface VerificationDependencies extends Pick<ApiDependencies, "store"> {
  readonly guard: Guard;
}

export const verificationRoutes = ({ guard, store }: VerificationDependencies) =>
  new Elysia({ name: "api.admin.verifications", prefix: "/admin/v1" })
    .onBeforeHandle(guard)
    .get("/verifications", ({ request }) => list(request, store), {
      detail: describe({
        ...operation,
        summary: "List verdicts on outputs",
        description:
          "Newest first, one per attempt whose answer a signature hit or nobody could judge; clean answers are in their decisions only. Never any text of prompt or answer.",
        query: VerificationQuery,
        answer: {
          description: "Verdicts",
          schema: pageOf(VerificationItem),
          example: { items: [EXAMPLE], next: null },
        },
        errors: ["store_unavailable"],
      }),
    });

const operation = { tag: "decisions", scope: "admin", envelope: "admin" } as const;

const name = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 512, description }));

const VerificationQuery = Type.Object(
  {
    ...pageParameters,
    decision_id: name("Only those of this decision."),
    instance: name("Only attempts at this provider."),
    target: name("Only attempts at this target, by its key."),
    verdict: name("Such as `mangled`."),
    signature: name("Such as `empty_200`."),
    attributable: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1,
        description: "1: the fault is the model's or the provider's; 0: it may be someone else's.",
      }),
    ),
    from: instant("Not older than."),
    to: instant("Older than."),
  },
  closed,
);

const nullable = <T extends ReturnType<typeof Type.String | typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const VerificationItem = Type.Object(
  {
    at: Type.Integer({ description: "When the attempt was over." }),
    decision_id: Type.String(),
    n: Type.Integer({ description: "Number of the attempt within its decision." }),
    instance: Type.String(),
    target: Type.String(),
    kind: Type.Literal("structural"),
    verdict: Type.String(),
    signature: nullable(Type.String()),
    detail: nullable(Type.String()),
    model_attributable: Type.Union([Type.Literal(0), Type.Literal(1)]),
    trips: Type.Boolean({ description: "Counts as a bad answer of its scope." }),
    scope: nullable(Type.String({ description: "`target`, or `provider` for the instance." })),
    applied_at: nullable(
      Type.Integer({ description: "When the trip rule counted it; null if it did not." }),
    ),
  },
  closed,
);

const EXAMPLE: Static<typeof VerificationItem> = {
  at: 1_764_460_800_412,
  decision_id: "01995b6e-7c11-7000-8000-2f6a54d1c9aa",
  n: 1,
  instance: "nim",
  target: "nim:qwen3-30b",
  kind: "structural",
  verdict: "malformed",
  signature: "empty_200",
  detail: null,
  model_attributable: 1,
  trips: true,
  scope: "target",
  applied_at: 1_764_460_800_412,
};

async function list(request: Request, store: VerificationDependencies["store"]): Promise<Response> {
  const query = checkQuery(VerificationQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const { from, to, attributable, limit = DEFAULT_LIMIT, ...rest } = query.value;
  const instants = readInstants({ from, to });
  if (instants.kind === "refused") return refuse("admin", instants.refusal);
  return Response.json(
    await store.listVerifications({
      ...rest,
      ...instants.value,
      ...(attributable !== undefined && { model_attributable: attributable === 1 ? 1 : 0 }),
      limit,
    }),
  );
}
