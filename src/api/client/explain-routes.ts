import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { Dialect } from "../../protocol/dialect.ts";
import { isObject, type JsonObject } from "../../protocol/openai/fields.ts";
import { type Plan, PlanView, planView } from "../../routing/plan.ts";
import { type Authenticator, keyOf } from "../auth.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import { CHAT_REQUEST, PLAN } from "../examples.ts";
import type { Guard } from "../guard.ts";
import { bodyLimit, bySchema, receive } from "../receive.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { RoutedBody } from "./schemas.ts";

interface ExplainDependencies extends Pick<ApiDependencies, "config" | "relay"> {
  readonly guard: Guard;
  readonly auth: Authenticator;
}

export const explainRoutes = ({ guard, ...dependencies }: ExplainDependencies) =>
  new Elysia({ name: "api.explain", prefix: "/v1" })
    .onBeforeHandle(guard)
    .post("/routing/explain", ({ request }) => explain(request, dependencies), {
      parse: "none",
      detail: describe({
        summary: "Explain where a request would go",
        description: "The plan for a request body: no model is called, no state changed.",
        tag: "routing",
        scope: "client",
        envelope: "openai",
        query: ExplainQuery,
        body: { schema: RoutedBody, example: CHAT_REQUEST },
        answer: { description: "The plan", schema: Explanation, example: EXPLANATION_EXAMPLE },
        errors: ["model_not_found", "no_target_available"],
      }),
    })
    .get("/routing/explain", () => refuse("openai", PROMPT_IN_URL), { detail: { hide: true } });

const PROMPT_IN_URL: Refusal = {
  code: "method_not_allowed",
  message:
    "Use POST with the request body: prompts do not belong in URLs, which end up in logs and histories.",
  headers: { allow: "POST" },
};

const ExplainQuery = Type.Object(
  {
    dialect: Type.Optional(
      Type.Union(
        [
          Type.Literal("chat"),
          Type.Literal("completions"),
          Type.Literal("embeddings"),
          Type.Literal("messages"),
          Type.Literal("responses"),
        ],
        {
          description: "Kind of body. Default: told from its fields and headers.",
          expected: "it must be `chat`, `completions`, `embeddings`, `messages` or `responses`",
        },
      ),
    ),
  },
  { additionalProperties: false },
);

async function explain(
  request: Request,
  { auth, config, relay }: Omit<ExplainDependencies, "guard">,
): Promise<Response> {
  const query = checkQuery(ExplainQuery, request);
  if (query.kind === "refused") return refuse("openai", query.refusal);
  const body = await receive(
    request,
    bySchema(RoutedBody),
    bodyLimit(config.current().config.server),
  );
  if (body.kind === "refused") return refuse("openai", body.refusal);
  const { headers } = request;
  const dialect = query.value.dialect ?? dialectOf(body.parsed, headers);
  const { key_profile } = keyOf(auth, headers);
  return explained(await relay.explain({ dialect, parsed: body.parsed, headers, key_profile }));
}

/** What a Responses body has and one for embeddings does not. */
const OF_RESPONSES = ["instructions", "tools", "reasoning", "text", "store", "max_output_tokens"];

function dialectOf(parsed: JsonObject, headers: Headers): Dialect {
  if (headers.has("anthropic-version")) return "messages";
  if ("messages" in parsed) return "system" in parsed ? "messages" : "chat";
  if ("input" in parsed) {
    const { input } = parsed;
    const hasItems = Array.isArray(input) && input.some(isObject);
    return hasItems || OF_RESPONSES.some((name) => name in parsed) ? "responses" : "embeddings";
  }
  return "prompt" in parsed ? "completions" : "chat";
}

function explained(plan: Plan): Response {
  if (plan.kind === "refuse") return refuse("openai", plan);
  const { profile, lane, pool, strategy, candidates, notes } = plan;
  return Response.json({
    plan: planView(candidates),
    profile,
    lane,
    pool,
    classifier: null,
    strategy,
    notes,
  });
}

const nullableText = Type.Union([Type.String(), Type.Null()]);
const closed = { additionalProperties: false };

const Explanation = Type.Object(
  {
    plan: PlanView,
    profile: nullableText,
    lane: nullableText,
    pool: nullableText,
    classifier: nullableText,
    strategy: nullableText,
    notes: Type.Array(Type.String()),
  },
  closed,
);

const EXPLANATION_EXAMPLE = {
  plan: PLAN,
  profile: null,
  lane: null,
  pool: "main",
  classifier: null,
  strategy: "priority",
  notes: [],
};
