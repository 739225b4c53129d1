import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { readSubject } from "../../health/scope.ts";
import { BREAKER, Breaker } from "../breaker.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { adminBody } from "./body.ts";
import { unknownInstance } from "./known-instance.ts";
import { answerPage, closed, pageOf, PageQuery } from "./list.ts";

interface BreakerDependencies extends Pick<ApiDependencies, "relay" | "inventory"> {
  readonly guard: Guard;
  readonly audit: Audit;
}

export const breakerRoutes = (dependencies: BreakerDependencies) =>
  new Elysia({ name: "api.admin.breakers", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/breakers", ({ request }) => list(request, dependencies.relay), {
      detail: describe({
        ...operation,
        summary: "List open breakers",
        description:
          "Those that bench a target, or let one request at a time try it. They are kept across restarts.",
        query: PageQuery,
        answer: {
          description: "Breakers",
          schema: pageOf(Breaker),
          example: { items: [BREAKER], next: null },
        },
      }),
    })
    .post("/health/clear", ({ request }) => clear(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Clear the health of an instance or a target",
        description:
          "Lifts cooldowns, refused credentials and open breakers, as if nothing had failed yet. Exclusions stay: they are removed one by one.",
        body: { schema: ClearRequest, example: { subject: "nim:qwen3-30b" } },
        answer: {
          description: "How much was lifted",
          schema: Cleared,
          example: { subject: "nim:qwen3-30b", cooldowns: 1, breakers: 1 },
        },
        errors: ["invalid_value"],
      }),
    });

const operation = { tag: "health", scope: "admin", envelope: "admin" } as const;

function list(request: Request, relay: BreakerDependencies["relay"]): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return answerPage(relay.breakers(), query.value);
}

const ClearRequest = Type.Object(
  {
    subject: Type.String({
      minLength: 1,
      maxLength: 512,
      description: "An instance, `nim`, with all its targets, or one target, `nim:qwen3-30b`.",
      expected: "it must be the name of an instance or the key of a target, `instance:model`",
    }),
  },
  closed,
);

const Cleared = Type.Object(
  { subject: Type.String(), cooldowns: Type.Integer(), breakers: Type.Integer() },
  closed,
);

async function clear(
  request: Request,
  { relay, inventory, audit }: BreakerDependencies,
): Promise<Response> {
  const body = await adminBody(request, ClearRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const read = readSubject(body.value.subject);
  if (!read.ok) return refuse("admin", wrongSubject(read.message));
  const { value } = read;
  const unknown = unknownInstance(value.instance, inventory);
  if (unknown !== undefined) return refuse("admin", wrongSubject(unknown));
  const record = audit(request);
  const { cooldowns, breakers } = relay.clearHealth(value);
  const detail = `${cooldowns} cooldowns, ${breakers} breakers`;
  record({ action: "health.clear", subject: value.subject, detail });
  return Response.json({ subject: value.subject, cooldowns, breakers });
}

function wrongSubject(message: string): Refusal {
  return { code: "invalid_value", message: `\`subject\`: ${message}.`, param: "subject" };
}
