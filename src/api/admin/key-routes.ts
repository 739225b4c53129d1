import { type Static, Type } from "@sinclair/typebox";
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
import { answerPage, closed, pageOf, PageQuery } from "./list.ts";

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
        answer: {
          description: "Keys",
          schema: pageOf(KeyItem),
          example: { items: [KEY_EXAMPLE], next: null },
        },
      }),
    })
    .post("/keys", ({ request }) => create(request, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Create a key",
        description: "The key is shown this once.",
        body: { schema: KeyRequest, example: { name: "laptop", scope: "client" } },
        answer: {
          status: 201,
          description: "The key",
          schema: CreatedKey,
          example: {
            id: KEY_EXAMPLE.id,
            key: "vr-7fK2…",
            name: "laptop",
            scope: "client",
          },
        },
        errors: ["invalid_value", "store_unavailable"],
      }),
    })
    .delete("/keys/:id", ({ request, params }) => revoke(request, params.id, dependencies), {
      parse: "none",
      detail: describe({
        ...operation,
        summary: "Revoke a key",
        writes: true,
        path: { id: "Id of the key, as the list shows it." },
        answer: {
          description: "The revoked key",
          schema: RevokedKey,
          example: { id: KEY_EXAMPLE.id, revoked_at: 1_764_460_900_000 },
        },
        errors: ["not_found", "store_unavailable"],
      }),
    });

const operation = { tag: "keys", scope: "admin", envelope: "admin" } as const;

const Scope = Type.Union([Type.Literal("client"), Type.Literal("admin")], {
  expected: "it must be `client` or `admin`",
});

const KeyItem = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    scope: Scope,
    prefix: Type.String({ description: "First characters of the key, to recognise it by." }),
    created_at: Type.Integer(),
    revoked_at: Type.Union([Type.Integer(), Type.Null()]),
    profile: Type.Union([Type.String(), Type.Null()], {
      description: "Profile of its requests that name none.",
    }),
  },
  closed,
);

const KEY_EXAMPLE: Static<typeof KeyItem> = {
  id: "01995b6e-7c11-7000-8000-0d5a1f0c77aa",
  name: "laptop",
  scope: "client",
  prefix: "vr-7fK2q",
  created_at: 1_764_460_800_000,
  revoked_at: null,
  profile: null,
};

function list(request: Request, keys: readonly StoredKey[]): Response {
  const query = checkQuery(PageQuery, request);
  if (query.kind === "refused") return refuse("admin", query.refusal);
  const items = keys.map(({ hash: _hash, ...shown }) => shown);
  return answerPage(items, query.value);
}

const KeyRequest = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 128,
      pattern: "^[^\\u0000-\\u001f\\u007f]*$",
      description: "What it is for.",
      expected: "it must be a text of 1 to 128 characters without line breaks",
    }),
    scope: Scope,
    profile: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
        description: "Profile of its requests that name none.",
        expected: "it must be the name of a profile",
      }),
    ),
  },
  closed,
);

const CreatedKey = Type.Object(
  { id: Type.String(), key: Type.String(), name: Type.String(), scope: Scope },
  closed,
);

async function create(
  request: Request,
  { clock, newId, store, preferences, audit }: KeyDependencies,
): Promise<Response> {
  const body = await adminBody(request, KeyRequest);
  if (body.kind === "refused") return refuse("admin", body.refusal);
  const { name, scope, profile = null } = body.value;
  const unknown = profile !== null && !preferences.profiles().has(profile);
  if (unknown) return refuse("admin", unknownProfile(profile));
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

function unknownProfile(name: string): Refusal {
  const message = `There is no profile ${quoted(name)}. \`GET /admin/v1/profiles\` lists them.`;
  return { code: "invalid_value", message, param: "profile" };
}

const RevokedKey = Type.Object({ id: Type.String(), revoked_at: Type.Integer() }, closed);

async function revoke(
  request: Request,
  id: string,
  { clock, store, audit }: KeyDependencies,
): Promise<Response> {
  const at = clock.now();
  const record = audit(request);
  if (!(await store.revokeKey(id, at))) {
    const message = `There is no key ${quoted(id)} that could be revoked. \`GET /admin/v1/keys\` lists them.`;
    return refuse("admin", { code: "not_found", message, param: "id" });
  }
  record({ action: "key.revoke", subject: id, detail: null });
  return Response.json({ id, revoked_at: at });
}
