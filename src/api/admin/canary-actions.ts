import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { adminBody, noBody } from "./body.ts";
import { shownEndpoint } from "./canary-routes.ts";
import { Endpoint, STATUS } from "./canary-schemas.ts";
import { closed } from "./list.ts";

interface ActionDependencies extends Pick<ApiDependencies, "canary"> {
  readonly guard: Guard;
  readonly audit: Audit;
}

/** What a person may have the canary do. */
export const canaryActions = (dependencies: ActionDependencies) =>
  new Elysia({ name: "api.admin.canary-actions", prefix: "/admin/v1/canary" })
    .onBeforeHandle(dependencies.guard)
    .post("/run", ({ request }) => run(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Begin a round now",
        description:
          "Beside the schedule; of the budget of the day. Its results are listed when it is over.",
        writes: true,
        answer: {
          status: 202,
          description: "Begun, or one was under way already",
          schema: Begun,
          example: { started: true, round_n: 13 },
        },
        errors: ["canary_disabled", "store_unavailable"],
      }),
    })
    .post("/lift", ({ request }) => lift(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Lift a suspension",
        description:
          "The endpoint serves again at once. `forgive` also starts its ladder again from the bottom.",
        body: { schema: LiftRequest, example: LIFT },
        answer: { description: "The endpoint now", schema: Endpoint, example: STATUS.endpoints[0] },
        errors: ["canary_disabled", "not_found", "store_unavailable"],
      }),
    });

const operation = { tag: "health", scope: "admin", envelope: "admin" } as const;

const Begun = Type.Object(
  {
    started: Type.Boolean({ description: "False if one was under way." }),
    round_n: Type.Integer({ description: "Number of the round that is under way now." }),
  },
  closed,
);

const LiftRequest = Type.Object(
  {
    endpoint: Type.String({
      minLength: 1,
      maxLength: 512,
      description: "As `GET /admin/v1/canary` lists it.",
    }),
    forgive: Type.Optional(
      Type.Boolean({ description: "Start its ladder again from the bottom.", default: false }),
    ),
  },
  closed,
);

const LIFT = { endpoint: STATUS.endpoints[0]?.endpoint, forgive: false };

const DISABLED: Refusal = {
  code: "canary_disabled",
  message:
    "The canary is off: set `canary.enabled`, `canary.models` and `canary.max_usd_per_day` in the config, and reload.",
};

const WAITING: Refusal = {
  code: "store_unavailable",
  message:
    "The state of the canary cannot be read yet; it is tried again every half a minute, and the log says what is wrong.",
};

const unready = (canary: ActionDependencies["canary"]): Response =>
  refuse("admin", canary.isWaiting() ? WAITING : DISABLED);

async function run(request: Request, { canary, audit }: ActionDependencies): Promise<Response> {
  const body = await noBody(request);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const record = audit(request);
  const begun = canary.run();
  if (begun === null) return unready(canary);
  record({ action: "canary.run", subject: "canary", detail: `round ${begun.round_n}` });
  return Response.json(begun, { status: 202 });
}

async function lift(request: Request, { canary, audit }: ActionDependencies): Promise<Response> {
  const body = await adminBody(request, LiftRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { endpoint, forgive = false } = body.value;
  const record = audit(request);
  const state = await canary.lift(endpoint, forgive);
  if (state === null) return unready(canary);
  if (state === undefined) return refuse("admin", unknown(endpoint));
  const detail = forgive ? "and forgiven" : null;
  record({ action: "canary.lift", subject: endpoint, detail });
  return Response.json(shownEndpoint(state, false));
}

function unknown(endpoint: string): Refusal {
  const message = `The canary knows no endpoint \`${endpoint}\`; \`GET /admin/v1/canary\` lists them.`;
  return { code: "not_found", message, param: "endpoint" };
}
