import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";

/** Open to everyone: orchestrators have no key. Says nothing about providers. */
export const healthRoutes = ({ readiness }: Pick<ApiDependencies, "readiness">) =>
  new Elysia({ name: "api.health", prefix: "/health" })
    .get("/live", () => Response.json({ status: "live" }), {
      detail: describe({
        ...operation,
        summary: "Tell whether the process runs",
        answer: {
          description: "It runs",
          schema: Type.Object({ status: Type.Literal("live") }),
          example: { status: "live" },
        },
      }),
    })
    .get("/ready", () => ready(readiness()), {
      detail: describe({
        ...operation,
        summary: "Tell whether requests are taken",
        description: "Never calls an upstream.",
        answer: {
          description: "Ready; `degraded` lists parts that do not fully work",
          schema: Ready,
          example: { status: "ready", degraded: [] },
        },
        others: [
          {
            status: 503,
            description: "Starting or stopping",
            schema: NotReady,
            example: { status: "stopping" },
          },
        ],
      }),
    });

const operation = { tag: "operations", scope: "anyone", envelope: "admin" } as const;

const Ready = Type.Object({ status: Type.Literal("ready"), degraded: Type.Array(Type.String()) });
const NotReady = Type.Object({
  status: Type.Union([Type.Literal("starting"), Type.Literal("stopping")]),
});

function ready({ status, degraded }: ReturnType<ApiDependencies["readiness"]>): Response {
  return status === "ready"
    ? Response.json({ status, degraded })
    : Response.json({ status }, { status: 503, headers: { "retry-after": "1" } });
}
