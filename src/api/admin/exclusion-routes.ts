import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { type Exclusion, isInForce } from "../../health/exclusions.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { quoted, type Refusal, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { ExclusionRequest, readExclusion } from "./exclusion-request.ts";
import { answerPage, closed, pageOf, PageQuery } from "./list.ts";

interface ExclusionDependencies extends Pick<
  ApiDependencies,
  "clock" | "newId" | "store" | "exclusions" | "inventory"
> {
  readonly guard: Guard;
  readonly audit: Audit;
}

export const exclusionRoutes = (dependencies: ExclusionDependencies) =>
  new Elysia({ name: "api.admin.exclusions", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/exclusions", ({ request }) => list(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List exclusions",
        description:
          "What is never used: shipped with the release, written in the config, or made here. Those whose time is over are left out.",
        query: PageQuery,
        answer: {
          description: "Exclusions",
          schema: pageOf(ExclusionItem),
          example: { items: [EXCLUSION], next: null },
        },
      }),
    })
    .post("/exclusions", ({ request }) => create(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Exclude an instance or a target",
        description:
          "In force at once, also in other processes on the same store within a second, and after a restart. Replaces an earlier exclusion of the same subject.",
        body: {
          schema: ExclusionRequest,
          example: {
            subject: "nim:qwen3-30b",
            reason: "being retrained",
            until: "2026-12-01T08:00:00Z",
          },
        },
        answer: {
          status: 201,
          description: "The exclusion",
          schema: ExclusionItem,
          example: EXCLUSION,
        },
        errors: ["invalid_value", "store_unavailable"],
      }),
    })
    .delete("/exclusions/:id", ({ request, params }) => remove(request, params.id, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Remove an exclusion",
        description: "Only those made here: the others go with the config file or the release.",
        writes: true,
        path: { id: "Id of the exclusion, as the list shows it." },
        answer: {
          description: "The exclusion that was",
          schema: ExclusionItem,
          example: EXCLUSION,
        },
        errors: ["not_found", "defined_in_file", "store_unavailable"],
      }),
    });

const operation = { tag: "health", scope: "admin", envelope: "admin" } as const;

const ExclusionItem = Type.Object(
  {
    id: Type.String(),
    scope: Type.Union([Type.Literal("provider"), Type.Literal("target")], {
      description: "`provider` is a whole instance.",
    }),
    subject: Type.String({ description: "Name of the instance or key of the target." }),
    reason: Type.String(),
    source: Type.Union(
      ["shipped", "config", "operator"].map((source) => Type.Literal(source)),
      { description: "Who made it." },
    ),
    created_at: Type.Union([Type.Integer(), Type.Null()]),
    until_at: Type.Union([Type.Integer(), Type.Null()], { description: "Null lasts." }),
  },
  closed,
);

const EXCLUSION: Static<typeof ExclusionItem> = {
  id: "01995b6e-7c11-7000-8000-0d5a1f0c77aa",
  scope: "target",
  subject: "nim:qwen3-30b",
  reason: "being retrained",
  source: "operator",
  created_at: 1_764_460_800_000,
  until_at: 1_764_576_000_000,
};

function list(
  request: Request,
  { clock, exclusions }: Pick<ExclusionDependencies, "clock" | "exclusions">,
): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const now = clock.now();
  const current = exclusions.list().filter((exclusion) => isInForce(exclusion, now));
  return answerPage(current.map(shown), query.value);
}

function shown(exclusion: Exclusion): Static<typeof ExclusionItem> {
  const { id, scope, subject, reason, source, created_at, until_at } = exclusion;
  return { id, scope, subject, reason, source, created_at, until_at };
}

async function create(request: Request, dependencies: ExclusionDependencies): Promise<Response> {
  const { clock, newId, store, audit } = dependencies;
  const created_at = clock.now();
  const read = await readExclusion(request, { ...dependencies, now: created_at });
  if (read.kind === "refused") return refuse("admin", read.refusal);
  const exclusion = { id: newId(), created_at, ...read.value };
  const record = audit(request);
  await store.addExclusion(exclusion);
  const { subject, reason, until_at } = exclusion;
  const end = until_at === null ? "" : `, until ${new Date(until_at).toISOString()}`;
  record({ action: "exclusion.add", subject, detail: `${reason}${end}` });
  return Response.json(shown({ ...exclusion, source: "operator" }), { status: 201 });
}

async function remove(
  request: Request,
  id: string,
  { store, exclusions, audit }: ExclusionDependencies,
): Promise<Response> {
  const found = exclusions.list().find((exclusion) => exclusion.id === id);
  if (found !== undefined && found.source !== "operator") return refuse("admin", fixed(found));
  const record = audit(request);
  if (found === undefined || !(await store.removeExclusion(id))) {
    const message = `There is no exclusion ${quoted(id)}. \`GET /admin/v1/exclusions\` lists them.`;
    return refuse("admin", { code: "not_found", message, param: "id" });
  }
  record({ action: "exclusion.remove", subject: found.subject, detail: null });
  return Response.json(shown(found));
}

function fixed({ source, subject }: Exclusion): Refusal {
  const where =
    source === "config"
      ? "in `[exclusions]` of the config file; edit it and reload"
      : "in this release; it goes with a newer one";
  return {
    code: "defined_in_file",
    message: `The exclusion of ${quoted(subject)} is written ${where}.`,
    param: "id",
  };
}
