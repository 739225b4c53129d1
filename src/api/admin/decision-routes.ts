import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { Decision } from "../../routing/decision.ts";
import type { DecisionFilter } from "../../store/store.ts";
import { type Checked, checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import { DECISION } from "../examples.ts";
import type { Guard } from "../guard.ts";
import { parseInstant } from "../instant.ts";
import { quoted, refuse } from "../refusal.ts";
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

const instant = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description} Epoch ms or RFC 3339.`,
      examples: ["1764460800000"],
    }),
  );

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
  const filter = query.kind === "refused" ? query : withInstants(query.value);
  if (filter.kind === "refused") return refuse("admin", filter.refusal);
  return Response.json(await store.listDecisions(filter.value));
}

type FilterResult =
  | Exclude<Checked<typeof DecisionQuery>, { kind: "value" }>
  | {
      readonly kind: "value";
      readonly value: DecisionFilter;
    };

function withInstants(query: Static<typeof DecisionQuery>): FilterResult {
  const { from, to, limit = DEFAULT_LIMIT, ...rest } = query;
  const instants: { from?: number; to?: number } = {};
  for (const [param, text] of Object.entries({ from, to })) {
    if (text === undefined) continue;
    const at = parseInstant(text);
    if (at === undefined) {
      const message = `\`${param}\` must be epoch milliseconds or RFC 3339, such as \`2026-11-30T12:00:00Z\`.`;
      return { kind: "refused", refusal: { code: "invalid_request", message, param } };
    }
    instants[param === "from" ? "from" : "to"] = at;
  }
  return { kind: "value", value: { ...rest, ...instants, limit } };
}

function unknownDecision(id: string): Response {
  const message = `There is no decision ${quoted(id)}; it may have been deleted by retention.`;
  return refuse("admin", { code: "not_found", message, param: "id" });
}
