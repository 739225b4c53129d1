import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { formatProblem } from "../../config/problem.ts";
import type { SetResult } from "../../control/live-config.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { adminBody, noBody } from "./body.ts";
import { answerPage, closed, MAX_LIMIT, pageOf, PageQuery } from "./list.ts";

interface ConfigDependencies extends Pick<ApiDependencies, "config"> {
  readonly guard: Guard;
  readonly audit: Audit;
}

export const configRoutes = (dependencies: ConfigDependencies) =>
  new Elysia({ name: "api.admin.config", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/config", ({ request }) => list(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List every config value",
        description: "With the layer each comes from. Secrets are masked.",
        query: PageQuery,
        answer: {
          description: "Values",
          schema: pageOf(ConfigItem),
          example: { items: [ITEM_EXAMPLE], next: null },
        },
      }),
    })
    .put("/config/:key", ({ request, params }) => put(request, params.key, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Set a config value",
        description: "Beats file and environment until deleted; survives restarts.",
        path: { key: "Dotted key, such as `routing.default_pool`." },
        body: { schema: NewValue, example: { value: "main" } },
        answer: { description: "The value now", schema: ConfigItem, example: ITEM_EXAMPLE },
        errors: ["config_key_not_writable", "invalid_value", "store_unavailable"],
      }),
    })
    .delete("/config/:key", ({ request, params }) => remove(request, params.key, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Drop a value that was set here",
        description: "The file's, environment's or default value counts again.",
        writes: true,
        path: { key: "Dotted key, such as `routing.default_pool`." },
        answer: { description: "The value now", schema: ConfigItem, example: ITEM_EXAMPLE },
        errors: ["config_key_not_writable", "store_unavailable"],
      }),
    })
    .post("/config/reload", ({ request }) => reload(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Read file and environment again",
        description: "A file with problems changes nothing; they are listed in `details`.",
        writes: true,
        answer: {
          description: "Reloaded",
          schema: Reloaded,
          example: { reloaded: true, changed: ["pools.main.targets"], restart: [] },
        },
        errors: ["invalid_value"],
      }),
    });

const operation = { tag: "configuration", scope: "admin", envelope: "admin" } as const;

const ConfigItem = Type.Object(
  {
    key: Type.String(),
    value: Type.Unknown(),
    source: Type.String({ description: "`default`, `file`, `environment` or `store`." }),
    writable: Type.Boolean({ description: "Whether `PUT` may change it." }),
  },
  closed,
);

const ITEM_EXAMPLE = {
  key: "routing.default_pool",
  value: "main",
  source: "store",
  writable: true,
};

function list(request: Request, { config }: ConfigDependencies): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return answerPage(config.values(), { limit: MAX_LIMIT, ...query.value });
}

const NewValue = Type.Object({ value: Type.Unknown() }, closed);

async function put(
  request: Request,
  key: string,
  dependencies: ConfigDependencies,
): Promise<Response> {
  const body = await adminBody(request, NewValue);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const record = dependencies.audit(request);
  const change = await dependencies.config.set(key, body.value.value);
  if (!change.ok) return changeRefused(change);
  record({ action: "config.set", subject: key, detail: JSON.stringify(body.value.value) });
  return valueNow(key, dependencies);
}

async function remove(
  request: Request,
  key: string,
  dependencies: ConfigDependencies,
): Promise<Response> {
  const record = dependencies.audit(request);
  const change = await dependencies.config.unset(key);
  if (!change.ok) return changeRefused(change);
  record({ action: "config.delete", subject: key, detail: null });
  return valueNow(key, dependencies);
}

function changeRefused({ code, message }: Extract<SetResult, { ok: false }>) {
  return refuse("admin", { code, message, param: code === "invalid_value" ? "value" : "key" });
}

function valueNow(key: string, { config }: ConfigDependencies): Response {
  const shown = config.values().find((value) => value.key === key);
  if (shown === undefined) throw new Error("a writable key has no value to show");
  return Response.json(shown);
}

const Reloaded = Type.Object(
  {
    reloaded: Type.Literal(true),
    changed: Type.Array(Type.String(), { description: "Keys with a new value." }),
    restart: Type.Array(Type.String(), { description: "Keys that wait for a restart." }),
  },
  closed,
);

async function reload(request: Request, { config, audit }: ConfigDependencies): Promise<Response> {
  const body = await noBody(request);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const record = audit(request);
  const result = await config.reload();
  if (result.ok) {
    record({ action: "config.reload", subject: "config", detail: null });
    const { changed, restart } = result;
    return Response.json({ reloaded: true, changed, restart });
  }
  record({ action: "config.reload_refused", subject: "config", detail: null });
  const [first, ...others] = result.problems.map((problem) => formatProblem(problem));
  const more = others.length > 0 ? ` (and ${others.length} more, see \`details\`)` : "";
  return refuse("admin", {
    code: "invalid_value",
    message: `The config was not reloaded, the running one stays: ${first ?? "it has problems"}${more}`,
    details: { problems: result.problems },
  });
}
