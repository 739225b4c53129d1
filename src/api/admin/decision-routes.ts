import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { Decision } from "../../routing/decision.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import { DECISION } from "../examples.ts";
import type { Guard } from "../guard.ts";
import { quoted, refuse } from "../refusal.ts";
import { instant, readInstants } from "./instants.ts";
import { closed, DEFAULT_LIMIT, pageOf, pageParameters } from "./list.ts";

interface DecisionDependencies extends Pick<ApiDependencies, "relay" | "store"> {
  readonly guard: Guard;
}

export const decisionRoutes = ({ guard, relay, store }: DecisionDependencies) =>
  new Elysia({ name: "api.admin.decisions", prefix: "/admin/v1" })
    .onBeforeHandle(guard)
    .get("/decisions", ({ request }) => list(request, store), {
      detail: describe({
        ...operation,
        summary: "List decisions",
        description: "Newest first.",
        query: DecisionQuery,
        answer: {
          description: "Decisions",
          schema: pageOf(Decision),
          example: { items: [DECISION], next: null },
        },
        errors: ["store_unavailable"],
      }),
    })
    .get(
      "/decisions/:id",
      async ({ params: { id } }) => {
        // The store learns of a decision a moment later than the client does.
        const decision = relay.findDecision(id) ?? (await store.getDecision(id));
        return decision ? Response.json(decision) : unknownDecision(id);
      },
      {
        detail: describe({
          ...operation,
          summary: "Show a decision",
          description: "Readable as soon as the answer's header `x-veriroute-decision` is out.",
          path: { id: "Value of the header `x-veriroute-decision`." },
          answer: { description: "The decision", schema: Decision, example: DECISION },
          errors: ["not_found", "store_unavailable"],
        }),
      },
    );

const operation = { tag: "decisions", scope: "admin", envelope: "admin" } as const;

const DecisionQuery = Type.Object(
  {
    ...pageParameters,
    model: Type.Optional(
      Type.String({ minLength: 1, description: "Asked for or served, exactly." }),
    ),
    target: Type.Optional(Type.String({ minLength: 1, description: "Key of the target tried." })),
    status: Type.Optional(
      Type.Integer({ minimum: 100, maximum: 599, description: "HTTP status the client got." }),
    ),
    from: instant("Not older than."),
    to: instant("Older than."),
  },
  closed,
);

async function list(request: Request, store: DecisionDependencies["store"]): Promise<Response> {
  const query = checkQuery(DecisionQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const { from, to, limit = DEFAULT_LIMIT, ...rest } = query.value;
  const instants = readInstants({ from, to });
  if (instants.kind === "refused") return refuse("admin", instants.refusal);
  return Response.json(await store.listDecisions({ ...rest, ...instants.value, limit }));
}

function unknownDecision(id: string): Response {
  const message = `There is no decision ${quoted(id)}; it may have been deleted by retention.`;
  return refuse("admin", { code: "not_found", message, param: "id" });
}
