import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { nearestNames } from "../../lib/nearest.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { quoted, refuse } from "../refusal.ts";
import { targetHealth } from "../target-health.ts";
import { answerPage, closed, pageOf, pageParameters, PageQuery } from "./list.ts";

interface FleetDependencies extends Pick<ApiDependencies, "inventory"> {
  readonly guard: Guard;
}

export const fleetRoutes = ({ guard, inventory }: FleetDependencies) =>
  new Elysia({ name: "api.admin.fleet", prefix: "/admin/v1" })
    .onBeforeHandle(guard)
    .get("/providers", ({ request }) => listed(request, inventory.providers()), {
      detail: describe({
        ...operation,
        summary: "List providers",
        description:
          "Configured and found ones, in the order in which bare model names are looked up.",
        query: PageQuery,
        answer: {
          description: "Providers",
          schema: pageOf(ProviderItem),
          example: { items: [PROVIDER_EXAMPLE], next: null },
        },
      }),
    })
    .get("/providers/:name", ({ params }) => provider(params.name, inventory), {
      detail: describe({
        ...operation,
        summary: "Show a provider",
        path: { name: "Name of the instance, such as `openrouter`." },
        answer: { description: "The provider", schema: ProviderItem, example: PROVIDER_EXAMPLE },
        errors: ["not_found"],
      }),
    })
    .get("/targets", ({ request }) => targets(request, inventory), {
      detail: describe({
        ...operation,
        summary: "List targets",
        description: "Everything listed or tried so far, with its health.",
        query: TargetQuery,
        answer: {
          description: "Targets",
          schema: pageOf(TargetItem),
          example: { items: [TARGET_EXAMPLE], next: null },
        },
      }),
    })
    .get("/pools", ({ request }) => listed(request, inventory.pools()), {
      detail: describe({
        ...operation,
        summary: "List pools",
        query: PageQuery,
        answer: {
          description: "Pools",
          schema: pageOf(PoolItem),
          example: { items: [POOL_EXAMPLE], next: null },
        },
      }),
    });

const operation = { tag: "fleet", scope: "admin", envelope: "admin" } as const;

function listed(request: Request, items: readonly unknown[]): Response {
  const query = checkQuery(PageQuery, request);
  return query.kind === "refused" ? refuse("admin", query.refusal) : answerPage(items, query.value);
}

function provider(name: string, inventory: FleetDependencies["inventory"]): Response {
  const known = inventory.providers();
  const found = known.find((one) => one.name === name);
  if (found) return Response.json(found);
  const near = nearestNames(
    name,
    known.map((one) => one.name),
    3,
  );
  const hint = near.length > 0 ? ` Near it: ${near.map((one) => quoted(one)).join(", ")}.` : "";
  const message = `There is no provider ${quoted(name)}.${hint}`;
  return refuse("admin", { code: "not_found", message, param: "name" });
}

const TargetQuery = Type.Object(
  {
    ...pageParameters,
    instance: Type.Optional(
      Type.String({ minLength: 1, description: "Only targets of this provider." }),
    ),
  },
  closed,
);

function targets(request: Request, inventory: FleetDependencies["inventory"]): Response {
  const query = checkQuery(TargetQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const { instance, ...page } = query.value;
  const wanted = inventory
    .targets()
    .filter((target) => instance === undefined || target.instance === instance);
  return answerPage(wanted, page);
}

const nullable = <T extends ReturnType<typeof Type.String | typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const AnswerType = Type.Object(
  {
    content_type: nullable(Type.String()),
    charset_declared: Type.Boolean({
      description: "Without it, clients that guess may take UTF-8 for something else.",
    }),
    at: Type.Integer(),
  },
  closed,
);

const ProviderItem = Type.Object(
  {
    name: Type.String(),
    type: Type.String({ description: "Provider type." }),
    source: Type.Union(
      ["config", "runtime", "environment", "local", "builtin"].map((source) =>
        Type.Literal(source),
      ),
    ),
    base_url: Type.String(),
    local: Type.Boolean(),
    credential: Type.Object(
      {
        set: Type.Boolean(),
        from: nullable(Type.String({ description: "Variable or file it comes from." })),
      },
      { ...closed, description: "Whether there is one; never the credential itself." },
    ),
    headers: Type.Array(Type.String(), { description: "Names of configured headers." }),
    default_model: nullable(Type.String()),
    models: Type.Object(
      {
        state: Type.Union(
          ["configured", "unknown", "ok", "failed"].map((state) => Type.Literal(state)),
        ),
        count: Type.Integer(),
        listed_at: nullable(Type.Integer()),
      },
      closed,
    ),
    timeouts: Type.Record(Type.String(), Type.Number()),
    answers: Type.Union([AnswerType, Type.Null()], {
      description: "What its latest good answer said of its encoding.",
    }),
    problem: Type.Union([
      Type.Object({ code: Type.String(), message: Type.String() }, closed),
      Type.Null(),
    ]),
  },
  closed,
);

const PROVIDER_EXAMPLE = {
  name: "openrouter",
  type: "openrouter",
  source: "environment",
  base_url: "https://openrouter.ai/api/v1",
  local: false,
  credential: { set: true, from: "OPENROUTER_API_KEY" },
  headers: [],
  default_model: null,
  models: { state: "ok", count: 412, listed_at: 1_764_460_700_000 },
  timeouts: {
    connect_ms: 5000,
    first_byte_ms: 120_000,
    first_token_ms: 180_000,
    response_ms: 300_000,
    idle_ms: 120_000,
  },
  answers: { content_type: "text/event-stream", charset_declared: false, at: 1_764_460_790_000 },
  problem: null,
};

const TargetItem = Type.Object(
  { ...targetHealth, instance: Type.String(), model: Type.String() },
  closed,
);

const TARGET_EXAMPLE = {
  target: "nim:qwen3-30b",
  instance: "nim",
  model: "qwen3-30b",
  eligible: true,
  reasons: [],
  in_flight: 0,
  latency_ms: 401.2,
  score: null,
};

const PoolItem = Type.Object(
  { name: Type.String(), strategy: Type.String(), targets: Type.Array(Type.String()) },
  closed,
);

const POOL_EXAMPLE = {
  name: "main",
  strategy: "priority",
  targets: ["openrouter:z-ai/glm-5.3-flash", "nim:qwen3-30b?order=1"],
};
