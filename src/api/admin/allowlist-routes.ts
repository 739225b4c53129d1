import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { allowEntryProblem } from "../../config/check-profiles.ts";
import type { ProviderView } from "../../control/inventory.ts";
import type { LiveConfig } from "../../control/live-config.ts";
import type { AllowedEntry, Preferences } from "../../control/preferences.ts";
import { type Allowlist, allowsTarget } from "../../routing/allowlist.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { quoted, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { adminBody, noBody } from "./body.ts";
import { BAD_CURSOR, closed, DEFAULT_LIMIT, pageParameters } from "./list.ts";

interface AllowlistDependencies extends Pick<ApiDependencies, "inventory" | "store"> {
  readonly config: LiveConfig;
  readonly preferences: Preferences;
  readonly guard: Guard;
  readonly audit: Audit;
}

export const allowlistRoutes = (dependencies: AllowlistDependencies) => {
  const removeOne = ({ request, path }: { request: Request; path: string }) =>
    remove(request, entryIn(path), dependencies);
  return new Elysia({ name: "api.admin.allowlist", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/allowlist", ({ request }) => list(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "Show the allowlist and what there is to allow",
        description:
          "Counts are those after the filter. The catalogue's items come with `expand=catalog`, in pages.",
        query: AllowlistQuery,
        answer: { description: "The allowlist", schema: AllowlistBody, example: BODY_EXAMPLE },
      }),
    })
    .post("/allowlist", ({ request }) => add(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Allow a model of a provider",
        description: "The first entry puts the list in force, unless the config says otherwise.",
        body: { schema: NewEntry, example: { target: "openrouter:z-ai/*" } },
        answer: {
          status: 201,
          description: "Added",
          schema: Entry,
          example: ENTRY_EXAMPLE,
        },
        others: [
          { status: 200, description: "It was there", schema: Entry, example: ENTRY_EXAMPLE },
        ],
        errors: ["invalid_value", "store_unavailable"],
      }),
    })
    .delete("/allowlist/:target", removeOne, {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Take an entry off the allowlist",
        description:
          "With the last entry gone everything may serve, unless the config says otherwise.",
        writes: true,
        path: { target: "The entry; its slashes may be written plainly or as `%2F`." },
        answer: {
          description: "Taken off",
          schema: Removed,
          example: { target: "openrouter:z-ai/*", enforced: true },
        },
        errors: ["defined_in_file", "not_found", "store_unavailable"],
      }),
    })
    .delete("/allowlist/*", removeOne, { parse: "none", detail: { hide: true } });
};

const operation = { tag: "configuration", scope: "admin", envelope: "admin" } as const;

const AllowlistQuery = Type.Object(
  {
    ...pageParameters,
    filter: Type.Optional(
      Type.String({ maxLength: 256, description: "Part of a target, in any case." }),
    ),
    expand: Type.Optional(
      Type.Literal("catalog", {
        description: "`catalog` includes its items.",
        expected: "it must be `catalog`",
      }),
    ),
  },
  closed,
);

const Entry = Type.Object(
  {
    target: Type.String({ description: "`provider:model`; the model may end in `*`." }),
    source: Type.Union([Type.Literal("file"), Type.Literal("store")]),
  },
  closed,
);

const ENTRY_EXAMPLE: Static<typeof Entry> = { target: "openrouter:z-ai/*", source: "store" };

const CatalogItem = Type.Object(
  { target: Type.String(), allowed: Type.Boolean({ description: "Whether it may serve now." }) },
  closed,
);

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);

const AllowlistBody = Type.Object(
  {
    enforced: Type.Boolean({ description: "Whether only what is listed may serve." }),
    allowed: Type.Object({ count: Type.Integer(), items: Type.Array(Entry) }, closed),
    catalog: Type.Object(
      {
        count: Type.Integer(),
        items: nullable(Type.Array(CatalogItem)),
        next: nullable(Type.String({ description: "`cursor` of the next page." })),
      },
      { ...closed, description: "Every known target." },
    ),
  },
  closed,
);

const BODY_EXAMPLE: Static<typeof AllowlistBody> = {
  enforced: true,
  allowed: { count: 1, items: [ENTRY_EXAMPLE] },
  catalog: { count: 425, items: null, next: null },
};

function list(request: Request, { preferences, inventory }: AllowlistDependencies): Response {
  const query = checkQuery(AllowlistQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const { filter = "", expand, limit = DEFAULT_LIMIT, cursor = "0" } = query.value;
  if (!/^\d{1,9}$/.test(cursor)) return refuse("admin", BAD_CURSOR);
  const wanted = filter.toLowerCase();
  const matches = ({ target }: { readonly target: string }) =>
    target.toLowerCase().includes(wanted);
  const entries = preferences.entries().filter(matches);
  const targets = inventory.targets().filter(matches);
  const end = Number(cursor) + limit;
  const rules = preferences.allowlist();
  const providers = new Map(inventory.providers().map((provider) => [provider.name, provider]));
  const shown = targets.slice(Number(cursor), end).map(({ target, instance, model }) => ({
    target,
    allowed: mayServe({ provider: providers.get(instance), instance, model }, rules),
  }));
  return Response.json({
    enforced: rules !== null,
    allowed: { count: entries.length, items: entries.map(entryView) },
    catalog: {
      count: targets.length,
      items: expand === "catalog" ? shown : null,
      next: expand === "catalog" && end < targets.length ? String(end) : null,
    },
  });
}

interface Known {
  readonly provider: Pick<ProviderView, "type" | "source"> | undefined;
  readonly instance: string;
  readonly model: string;
}

function mayServe({ provider, instance, model }: Known, rules: Allowlist | null): boolean {
  if (provider?.source === "builtin") return true;
  return allowsTarget(rules, { instance, type: provider?.type ?? "", model });
}

function entryView({ target, origin }: AllowedEntry): Static<typeof Entry> {
  return { target, source: origin };
}

const NewEntry = Type.Object(
  {
    target: Type.String({
      minLength: 1,
      description: "`provider:model`; the model may end in `*`.",
      expected: "it must be a text such as `openrouter:z-ai/*`",
    }),
  },
  closed,
);

async function add(
  request: Request,
  { config, preferences, store, audit }: AllowlistDependencies,
): Promise<Response> {
  const body = await adminBody(request, NewEntry);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const target = body.value.target.trim();
  const input = { config: config.current().config, isBroken: () => false };
  const problem = allowEntryProblem(target, input);
  if (problem) {
    const message = [problem.message, problem.hint].filter(Boolean).join("; ");
    return refuse("admin", { code: "invalid_value", message, param: "target" });
  }
  const known = preferences.entries().find((entry) => entry.target === target);
  if (known) return Response.json(entryView(known));
  const record = audit(request);
  const isNew = await store.addAllowed(target);
  if (isNew) record({ action: "allowlist.add", subject: target, detail: null });
  return Response.json(entryView({ target, origin: "store" }), { status: isNew ? 201 : 200 });
}

const PREFIX = "/admin/v1/allowlist/";

/** Everything after the prefix, so that plain and encoded slashes name the same entry. */
function entryIn(path: string): string {
  const raw = path.slice(path.indexOf(PREFIX) + PREFIX.length);
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}

const Removed = Type.Object(
  {
    target: Type.String(),
    enforced: Type.Boolean({ description: "Whether the list is in force without it." }),
  },
  closed,
);

async function remove(
  request: Request,
  target: string,
  { preferences, store, audit }: AllowlistDependencies,
): Promise<Response> {
  const body = await noBody(request);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const known = preferences.entries().find((entry) => entry.target === target);
  if (known?.origin === "file") {
    const message = `${quoted(target)} is on the allowlist of the config file: remove it there and reload.`;
    return refuse("admin", { code: "defined_in_file", message, param: "target" });
  }
  const record = audit(request);
  if (!known || !(await store.removeAllowed(target))) {
    const message = `${quoted(target)} is not on the allowlist. \`GET /admin/v1/allowlist\` shows it.`;
    return refuse("admin", { code: "not_found", message, param: "target" });
  }
  record({ action: "allowlist.remove", subject: target, detail: null });
  return Response.json({ target, enforced: preferences.allowlist() !== null });
}
