import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";

interface MetricsDependencies extends Pick<ApiDependencies, "metrics"> {
  readonly guard: Guard;
}

export const metricsRoutes = ({ guard, metrics }: MetricsDependencies) =>
  new Elysia({ name: "api.metrics" })
    .onBeforeHandle(guard)
    .get(
      "/metrics",
      async () =>
        new Response(await metrics.text(), { headers: { "content-type": metrics.content_type } }),
      {
        detail: describe({
          summary: "Show metrics in Prometheus' text format",
          tag: "operations",
          scope: "admin",
          envelope: "admin",
          answer: {
            description: "Metrics",
            type: "text/plain",
            schema: Type.String(),
            example: "# TYPE veriroute_requests_total counter\n",
          },
        }),
      },
    );
