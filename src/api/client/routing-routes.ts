import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { BREAKER, Breaker } from "../breaker.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import { DECISION } from "../examples.ts";
import type { Guard } from "../guard.ts";
import { refuse } from "../refusal.ts";
import { SUSPENSION, Suspension } from "../suspension.ts";
import { targetHealth } from "../target-health.ts";

interface RoutingDependencies extends Pick<
  ApiDependencies,
  "clock" | "events" | "inventory" | "relay" | "canary"
> {
  readonly guard: Guard;
}

export const routingRoutes = (dependencies: RoutingDependencies) =>
  new Elysia({ name: "api.routing", prefix: "/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/explain/routing", ({ request }) => recent(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "Show recent routing events",
        description: "Newest first, with what is benched now and why.",
        query: RecentQuery,
        answer: { description: "Events", schema: Recent, example: RECENT_EXAMPLE },
      }),
    })
    .get("/routing/health", () => health(dependencies), {
      detail: describe({
        ...operation,
        summary: "Show the health of every known target",
        answer: { description: "Targets", schema: Health, example: HEALTH_EXAMPLE },
      }),
    });

const operation = { tag: "routing", scope: "client", envelope: "openai" } as const;
const closed = { additionalProperties: false };

const RecentQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: "How many events, 50 by default." }),
    ),
  },
  closed,
);

const DEFAULT_EVENTS = 50;

function recent(request: Request, { clock, events, relay, canary }: RoutingDependencies): Response {
  const query = checkQuery(RecentQuery, request);
  if (query.kind === "refused") return refuse("openai", query.refusal);
  return Response.json({
    events: events.newest(query.value.limit ?? DEFAULT_EVENTS),
    quality: [],
    breakers: relay.breakers(),
    cooldowns: relay.cooldowns(),
    suspensions: canary.suspensions(),
    now: clock.now(),
  });
}

const open = Type.Object({}, { additionalProperties: true });

const Cooldown = Type.Object(
  {
    target: Type.String({ description: "Target key, `instance:model`." }),
    scope: Type.Union([Type.Literal("target"), Type.Literal("instance")], {
      description: "Whether the target alone is benched, or its whole instance.",
    }),
    kind: Type.String({ description: "Failure kind it is for." }),
    vendor_code: Type.Union([Type.String(), Type.Null()]),
    since_at: Type.Integer(),
    until_at: Type.Union([Type.Integer(), Type.Null()], {
      description: "Null lasts until the credential changes.",
    }),
  },
  closed,
);

const Recent = Type.Object(
  {
    events: Type.Array(open),
    quality: Type.Array(open),
    breakers: Type.Array(Breaker),
    cooldowns: Type.Array(Cooldown),
    suspensions: Type.Array(Suspension),
    now: Type.Integer({ description: "Epoch ms, to compare the other instants with." }),
  },
  closed,
);

const RECENT_EXAMPLE = {
  events: [{ kind: "request", at: 1_764_460_800_412, decision: DECISION, key_id: null }],
  quality: [],
  breakers: [BREAKER],
  cooldowns: [
    {
      target: "openrouter:z-ai/glm-5.3-flash",
      scope: "target",
      kind: "rate_limit",
      vendor_code: null,
      since_at: 1_764_460_800_000,
      until_at: 1_764_460_830_000,
    },
  ],
  suspensions: [SUSPENSION],
  now: 1_764_460_801_000,
};

function health({ clock, inventory }: Pick<RoutingDependencies, "clock" | "inventory">): Response {
  const targets = inventory
    .targets()
    .map(({ target, eligible, reasons, in_flight, latency_ms, score }) => ({
      target,
      eligible,
      reasons,
      in_flight,
      latency_ms,
      score,
    }));
  return Response.json({ targets, now: clock.now() });
}

const Health = Type.Object(
  {
    targets: Type.Array(Type.Object(targetHealth, closed)),
    now: Type.Integer(),
  },
  closed,
);

const HEALTH_EXAMPLE = {
  targets: [
    {
      target: "nim:qwen3-30b",
      eligible: true,
      reasons: [],
      in_flight: 1,
      latency_ms: 401.2,
      score: null,
    },
  ],
  now: 1_764_460_801_000,
};
