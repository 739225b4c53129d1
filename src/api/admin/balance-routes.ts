import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { optionalBody } from "./body.ts";
import { unknownInstance } from "./known-instance.ts";
import { answerPage, closed, pageOf, PageQuery } from "./list.ts";

interface BalanceDependencies extends Pick<ApiDependencies, "balances" | "inventory"> {
  readonly guard: Guard;
  readonly audit: Audit;
}

export const balanceRoutes = (dependencies: BalanceDependencies) =>
  new Elysia({ name: "api.admin.balances", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/balances", ({ request }) => list(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List balances",
        description: "What is left at each instance, as far as its vendor says. Asks nobody.",
        query: PageQuery,
        answer: {
          description: "Balances",
          schema: pageOf(BalanceItem),
          example: { items: [EXAMPLE], next: null },
        },
      }),
    })
    .post("/balances/probe", ({ request }) => probe(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Ask vendors for balances now",
        description:
          "One instance, or without a body all that can be asked; answers when they have, within 20 s. The calls count against `balances.max_per_hour`, which does not stop them.",
        body: { schema: ProbeRequest, example: { instance: "openrouter" } },
        answer: {
          description: "What they answered",
          schema: Probed,
          example: { items: [EXAMPLE] },
        },
        errors: ["not_found"],
      }),
    });

const operation = { tag: "fleet", scope: "admin", envelope: "admin" } as const;

const ProbeRequest = Type.Object(
  {
    instance: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, expected: "it must be the name of an instance" }),
    ),
  },
  closed,
);

const nullable = <T extends ReturnType<typeof Type.String | typeof Type.Number>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const BalanceItem = Type.Object(
  {
    instance: Type.String(),
    state: Type.Union(
      ["known", "unknown", "not_asked", "no_probe"].map((state) => Type.Literal(state)),
      {
        description:
          "`unknown`: asked, without an answer that still counts; `not_asked`: not asked yet; `no_probe`: the vendor has nothing to ask.",
      },
    ),
    amount: nullable(Type.Number({ description: "Zero or less is an empty account." })),
    unit: Type.Union([Type.Literal("usd"), Type.Literal("credits"), Type.Null()]),
    at: Type.Union([Type.Integer(), Type.Null()], { description: "When it was learned." }),
    asked_at: Type.Union([Type.Integer(), Type.Null()], { description: "When it was last asked." }),
    reason: nullable(Type.String({ description: "Why the last answer told no balance." })),
  },
  closed,
);

const Probed = Type.Object({ items: Type.Array(BalanceItem) }, closed);

const EXAMPLE: Static<typeof BalanceItem> = {
  instance: "openrouter",
  state: "known",
  amount: 12.5,
  unit: "usd",
  at: 1_764_460_800_000,
  asked_at: 1_764_460_800_000,
  reason: null,
};

function list(request: Request, { balances }: BalanceDependencies): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return answerPage(balances.views(), query.value);
}

async function probe(request: Request, dependencies: BalanceDependencies): Promise<Response> {
  const { balances, inventory } = dependencies;
  const body = await optionalBody(request, ProbeRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { instance } = body.value;
  const record = dependencies.audit(request);
  const items = await balances.probeNow(instance);
  if (items === undefined) {
    const message = unknownInstance(instance ?? "", inventory) ?? "the instance is gone";
    return refuse("admin", { code: "not_found", message, param: "instance" });
  }
  record({ action: "balances.probe", subject: instance ?? "all", detail: null });
  return Response.json({ items });
}
