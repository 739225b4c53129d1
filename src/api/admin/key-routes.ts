import { Elysia } from "elysia";

import type { Preferences } from "../../control/preferences.ts";
import { newKey } from "../../store/keys.ts";
import type { StoredKey } from "../../store/store.ts";
import { checkQuery } from "../check.ts";
import type { ApiDependencies } from "../dependencies.ts";
import { describe } from "../describe.ts";
import type { Guard } from "../guard.ts";
import { quoted, type Refusal, refuse } from "../refusal.ts";
import type { Audit } from "./audit.ts";
import { adminBody } from "./body.ts";
import { CHANGED, CREATED, itemOf, KeyChange, KeyRequest, LISTED, REVOKED } from "./key-schemas.ts";
import { answerPage, PageQuery } from "./list.ts";

interface KeyDependencies extends Pick<ApiDependencies, "clock" | "newId" | "store"> {
  readonly preferences: Pick<Preferences, "profiles">;
  readonly guard: Guard;
  readonly audit: Audit;
}

export const keyRoutes = (dependencies: KeyDependencies) =>
  new Elysia({ name: "api.admin.keys", prefix: "/admin/v1" })
    .onBeforeHandle(dependencies.guard)
    .get("/keys", ({ request }) => list(request, dependencies.store.state().keys), {
      detail: describe({
        ...operation,
        summary: "List keys",
        description: "Never the keys themselves, of which only hashes are kept.",
        query: PageQuery,
        answer: LISTED,
      }),
    })
    .post("/keys", ({ request }) => create(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Create a key",
        description: "The key is shown this once.",
        body: { schema: KeyRequest, example: { name: "laptop", scope: "client" } },
        answer: CREATED,
        errors: ["invalid_value", "store_unavailable"],
      }),
    })
    .patch("/keys/:id", ({ request, params }) => change(request, params.id, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Change the profile of a key",
        description: "Holds for its requests from the next one on.",
        path,
        body: { schema: KeyChange, example: { profile: "frugal" } },
        answer: CHANGED,
        errors: ["invalid_value", "not_found", "store_unavailable"],
      }),
    })
    .delete("/keys/:id", ({ request, params }) => revoke(request, params.id, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Revoke a key",
        writes: true,
        path,
        answer: REVOKED,
        errors: ["not_found", "store_unavailable"],
      }),
    });

const operation = { tag: "keys", scope: "admin", envelope: "admin" } as const;
const path = { id: "Id of the key, as the list shows it." };

function list(request: Request, keys: readonly StoredKey[]): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  return answerPage(keys.map(itemOf), query.value);
}

async function create(
  request: Request,
  { clock, newId, store, preferences, audit }: KeyDependencies,
): Promise<Response> {
  const body = await adminBody(request, KeyRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { name, scope, profile = null } = body.value;
  const unknown = unknownProfile(profile, preferences);
  if (unknown) return refuse("admin", unknown);
  const id = newId();
  const { key, hash, prefix } = newKey();
  // Whoever calls is named before the key exists: a first key ends the time of anonymous callers.
  const record = audit(request);
  await store.addKey({
    id,
    name,
    scope,
    hash,
    prefix,
    created_at: clock.now(),
    revoked_at: null,
    profile,
  });
  record({ action: "key.create", subject: id, detail: `${scope} key \`${name}\`` });
  return Response.json({ id, key, name, scope }, { status: 201 });
}

async function change(
  request: Request,
  id: string,
  { store, preferences, audit }: KeyDependencies,
): Promise<Response> {
  const body = await adminBody(request, KeyChange);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { profile } = body.value;
  const unknown = unknownProfile(profile, preferences);
  if (unknown) return refuse("admin", unknown);
  const record = audit(request);
  if (!(await store.setKeyProfile(id, profile))) return refuse("admin", noSuchKey(id, "changed"));
  const detail = profile === null ? "no profile" : `profile \`${profile}\``;
  record({ action: "key.change", subject: id, detail });
  const key = store.state().keys.find((one) => one.id === id);
  return key ? Response.json(itemOf(key)) : refuse("admin", noSuchKey(id, "changed"));
}

function unknownProfile(
  name: string | null,
  preferences: KeyDependencies["preferences"],
): Refusal | undefined {
  if (name === null || preferences.profiles().has(name)) return undefined;
  const message = `There is no profile ${quoted(name)}. \`GET /admin/v1/profiles\` lists them.`;
  return { code: "invalid_value", message, param: "profile" };
}

async function revoke(
  request: Request,
  id: string,
  { clock, store, audit }: KeyDependencies,
): Promise<Response> {
  const at = clock.now();
  const record = audit(request);
  if (!(await store.revokeKey(id, at))) return refuse("admin", noSuchKey(id, "revoked"));
  record({ action: "key.revoke", subject: id, detail: null });
  return Response.json({ id, revoked_at: at });
}

function noSuchKey(id: string, done: "changed" | "revoked"): Refusal {
  const message = `There is no key ${quoted(id)} that could be ${done}. \`GET /admin/v1/keys\` lists them.`;
  return { code: "not_found", message, param: "id" };
}
