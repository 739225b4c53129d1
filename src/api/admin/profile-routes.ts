import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { LiveConfig } from "../../control/live-config.ts";
import type { Preferences } from "../../control/preferences.ts";
import { type ProfileView, profileViews } from "../../control/profile-views.ts";
import { nearestNames } from "../../lib/nearest.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { quoted, type Refusal, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { adminBody, noBody } from "./body.ts";
import { answerPage, closed, pageOf, PageQuery } from "./list.ts";
import { nameProblem, NewProfile, profileProblem, writtenProfile } from "./profile-body.ts";

interface ProfileDependencies extends Pick<ApiDependencies, "store"> {
  readonly config: LiveConfig;
  readonly preferences: Preferences;
  readonly guard: Guard;
  readonly audit: Audit;
}

export const profileRoutes = (dependencies: ProfileDependencies) =>
  new Elysia({ name: "api.admin.profiles", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/profiles", ({ request }) => list(request, dependencies), {
      detail: describe({
        ...operation,
        summary: "List profiles",
        description:
          "From the file and from the store. Exactly one is the default, if there is one.",
        query: PageQuery,
        answer: {
          description: "Profiles",
          schema: pageOf(ProfileItem),
          example: { items: [PROFILE_EXAMPLE], next: null },
        },
      }),
    })
    .get("/profiles/:name", ({ params }) => show(params.name, dependencies), {
      detail: describe({
        ...operation,
        summary: "Show a profile",
        path,
        answer: { description: "The profile", schema: ProfileItem, example: PROFILE_EXAMPLE },
        errors: ["not_found"],
      }),
    })
    .put("/profiles/:name", ({ request, params }) => put(request, params.name, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Make or replace a profile",
        description:
          "Which one is the default is set with `PUT /admin/v1/config/routing.default_profile`.",
        path,
        body: { schema: NewProfile, example: BODY_EXAMPLE },
        answer: { description: "Replaced", schema: ProfileItem, example: PROFILE_EXAMPLE },
        others: [
          { status: 201, description: "Made", schema: ProfileItem, example: PROFILE_EXAMPLE },
        ],
        errors: ["defined_in_file", "invalid_value", "store_unavailable"],
      }),
    })
    .delete(
      "/profiles/:name",
      ({ request, params }) => remove(request, params.name, dependencies),
      {
        parse: "none",
        detail: describe({
          ...operation,
          summary: "Delete a profile",
          description: "Refused for the default and for one that a key or an alias leads to.",
          writes: true,
          path,
          answer: { description: "Deleted", schema: Deleted, example: { name: "frugal" } },
          errors: ["defined_in_file", "invalid_value", "not_found", "store_unavailable"],
        }),
      },
    );

const operation = { tag: "configuration", scope: "admin", envelope: "admin" } as const;
const path = { name: "Name of the profile." };

const ProfileItem = Type.Object(
  {
    name: Type.String(),
    source: Type.Union([Type.Literal("file"), Type.Literal("store")], {
      description: "Where it is defined; what the file defines is read-only here.",
    }),
    is_default: Type.Boolean({ description: "Decides for requests that name no profile." }),
    deletable: Type.Boolean(),
    reason: Type.Union([Type.String(), Type.Null()], {
      description: "Why it cannot be deleted, and what would change that.",
    }),
    pool: Type.Union([Type.String(), Type.Null()]),
    params: Type.Record(Type.String(), Type.Unknown()),
    allow: Type.Object(
      {
        max_price: Type.Union([Type.Number(), Type.Null()]),
        providers: Type.Union([Type.Array(Type.String()), Type.Null()]),
      },
      closed,
    ),
    verify: Type.String({ description: "`rescue`, `observe` or `off`." }),
    hold_back: Type.Boolean(),
  },
  closed,
);

const PROFILE_EXAMPLE: Static<typeof ProfileItem> = {
  name: "frugal",
  source: "store",
  is_default: false,
  deletable: true,
  reason: null,
  pool: "main",
  params: { effort: "low" },
  allow: { max_price: 1.5, providers: null },
  verify: "rescue",
  hold_back: false,
};

const BODY_EXAMPLE = { pool: "main", params: { effort: "low" }, allow: { max_price: 1.5 } };

const Deleted = Type.Object({ name: Type.String() }, closed);

function views({ config, preferences, store }: ProfileDependencies): readonly ProfileView[] {
  return profileViews({
    written: preferences.written(),
    config: config.current().config,
    keys: store.state().keys,
  });
}

function list(request: Request, dependencies: ProfileDependencies): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return answerPage(views(dependencies).map(itemOf), query.value);
}

function itemOf({ obstacle, ...view }: ProfileView): Static<typeof ProfileItem> {
  return { ...view, deletable: obstacle === null, reason: obstacle?.message ?? null };
}

function show(name: string, dependencies: ProfileDependencies): Response {
  const known = views(dependencies);
  const found = known.find((view) => view.name === name);
  return found ? Response.json(itemOf(found)) : refuse("admin", notFound(name, known));
}

function notFound(name: string, known: readonly ProfileView[]): Refusal {
  const near = nearestNames(
    name,
    known.map((view) => view.name),
    3,
  );
  const hint = near.length > 0 ? ` Near it: ${near.map((one) => quoted(one)).join(", ")}.` : "";
  return {
    code: "not_found",
    message: `There is no profile ${quoted(name)}.${hint}`,
    param: "name",
  };
}

async function put(
  request: Request,
  name: string,
  dependencies: ProfileDependencies,
): Promise<Response> {
  const body = await adminBody(request, NewProfile);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { config, store, audit } = dependencies;
  const known = views(dependencies).find((view) => view.name === name);
  if (known?.source === "file") return refuse("admin", readOnly(name));
  const written = writtenProfile(body.value);
  const problem = nameProblem(name) ?? profileProblem(written, config.current().config);
  if (problem) return refuse("admin", problem);
  const record = audit(request);
  const json = JSON.stringify(written);
  await store.setProfile(name, json);
  record({ action: known ? "profile.replace" : "profile.create", subject: name, detail: json });
  const made = views(dependencies).find((view) => view.name === name);
  return Response.json(made ? itemOf(made) : null, { status: known ? 200 : 201 });
}

function readOnly(name: string): Refusal {
  const message = `Profile ${quoted(name)} is defined in the config file: edit it there and reload.`;
  return { code: "defined_in_file", message, param: "name" };
}

async function remove(
  request: Request,
  name: string,
  dependencies: ProfileDependencies,
): Promise<Response> {
  const body = await noBody(request);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { store, audit } = dependencies;
  const known = views(dependencies);
  const found = known.find((view) => view.name === name);
  if (!found) return refuse("admin", notFound(name, known));
  if (found.obstacle) return refuse("admin", { ...found.obstacle, param: "name" });
  const record = audit(request);
  if (!(await store.deleteProfile(name))) return refuse("admin", notFound(name, []));
  record({ action: "profile.delete", subject: name, detail: null });
  return Response.json({ name });
}
