import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { parseDuration } from "../../lib/durations.ts";
import { parseSize } from "../../lib/sizes.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { noBody } from "./body.ts";
import { closed, DEFAULT_LIMIT, pageOf, PageQuery } from "./list.ts";

interface MaintenanceDependencies extends Pick<ApiDependencies, "clock" | "config" | "store"> {
  readonly guard: Guard;
  readonly audit: Audit;
}

export const maintenanceRoutes = (dependencies: MaintenanceDependencies) =>
  new Elysia({ name: "api.admin.maintenance", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/audit", ({ request }) => audit(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List changes made by people",
        description: "Newest first: keys, config values, reloads, retention runs.",
        query: PageQuery,
        answer: {
          description: "Entries",
          schema: pageOf(AuditItem),
          example: { items: [AUDIT_EXAMPLE], next: null },
        },
        errors: ["store_unavailable"],
      }),
    })
    .post("/store/prune", ({ request }) => prune(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Run retention now",
        description:
          "Deletes what `store.retention` and `store.max_size` allow no longer; space is given back.",
        writes: true,
        answer: {
          description: "What was deleted",
          schema: Pruned,
          example: { deleted: 1200, size_bytes: 4_194_304 },
        },
        errors: ["store_unavailable"],
      }),
    });

const operation = { tag: "maintenance", scope: "admin", envelope: "admin" } as const;

const AuditItem = Type.Object(
  {
    at: Type.Integer(),
    actor: Type.String({
      description: "Id of the key used, `config`, `anonymous`, `cli` or `canary`.",
    }),
    action: Type.String(),
    subject: Type.String(),
    detail: Type.Union([Type.String(), Type.Null()]),
  },
  closed,
);

const AUDIT_EXAMPLE: Static<typeof AuditItem> = {
  at: 1_764_460_800_000,
  actor: "config",
  action: "config.set",
  subject: "routing.default_pool",
  detail: '"main"',
};

async function audit(request: Request, { store }: MaintenanceDependencies): Promise<Response> {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return Response.json(await store.listAudit({ limit: DEFAULT_LIMIT, ...query.value }));
}

/** Stands for a limit that cannot be read: nothing is deleted by mistake. */
const KEEP_ALL = Number.MAX_SAFE_INTEGER;

const Pruned = Type.Object({ deleted: Type.Integer(), size_bytes: Type.Integer() }, closed);

async function prune(request: Request, dependencies: MaintenanceDependencies): Promise<Response> {
  const { clock, config, store } = dependencies;
  const body = await noBody(request);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { retention, max_size } = config.current().config.store;
  const record = dependencies.audit(request);
  const result = await store.prune({
    before: clock.now() - (parseDuration(retention) ?? KEEP_ALL),
    max_size_bytes: parseSize(max_size) ?? KEEP_ALL,
  });
  record({
    action: "store.prune",
    subject: "store",
    detail: `${result.deleted} decisions deleted`,
  });
  return Response.json(result);
}
