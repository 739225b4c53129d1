import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { observeReport } from "../../canary/observe-report.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { DRY_RUN, REPORT } from "./canary-plan-schemas.ts";
import { answerQuery } from "./canary-routes.ts";
import { closed } from "./list.ts";

interface ReportDependencies extends Pick<ApiDependencies, "canary" | "store" | "clock"> {
  readonly guard: Guard;
}

/** What the canary would send, and how often it would have been wrong. */
export const canaryReports = (dependencies: ReportDependencies) =>
  new Elysia({ name: "api.admin.canary-reports", prefix: "/admin/v1/canary" })
    .onBeforeHandle(dependencies.guard)
    .get("/report", ({ request }) => report(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "Look back on the observe mode",
        description:
          "Who would have been suspended, and whether later rounds and live answers bear it out.",
        query: ReportQuery,
        answer: { description: "The report", ...REPORT },
        errors: ["store_unavailable"],
      }),
    })
    .get("/dry-run", async () => Response.json(await dependencies.canary.dryRun()), {
      detail: describe({
        ...operation,
        summary: "Show what a round would send, and its cost",
        description:
          "Nothing is asked of any model; gateways are asked which hosts they have. Works while the canary is off, too.",
        answer: { description: "Questions and costs", ...DRY_RUN },
      }),
    });

const operation = { tag: "health", scope: "admin", envelope: "admin" } as const;

const ReportQuery = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 30, description: "How far back, 30 by default." }),
    ),
  },
  closed,
);

const DAY_MS = 86_400_000;
const MAX_DAYS = 30;

const report = (request: Request, { store, clock }: ReportDependencies) =>
  answerQuery(checkQuery(ReportQuery, request), async ({ days = MAX_DAYS }) =>
    observeReport(await store.canary.observed(clock.now() - days * DAY_MS)),
  );
