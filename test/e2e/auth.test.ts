import { afterAll, describe, expect, test } from "bun:test";

import {
  ADMIN_KEY,
  bearer,
  CLIENT_KEY,
  KEYED,
  startApi,
  storedKey,
  type TestApi,
} from "../support/api-server.ts";
import { storedState } from "../support/stored-state.ts";

const open = await startApi();
const keyed = await startApi({ toml: KEYED });
const stored = await startApi({
  keys: [
    storedKey("stored-client", "client"),
    storedKey("stored-admin", "admin"),
    storedKey("revoked-admin", "admin", { revoked_at: 1 }),
  ],
});
afterAll(async () => {
  await Promise.all([open, keyed, stored].map((api) => api[Symbol.asyncDispose]()));
});

/** One route per kind of access. */
const CLIENT_ROUTES = ["/v1/models", "/v1/routing/health", "/v1/explain/routing"];
const ADMIN_ROUTES = [
  "/admin/v1/config",
  "/admin/v1/keys",
  "/admin/v1/decisions",
  "/metrics",
  "/swagger",
  "/swagger/json",
  "/swagger/ui.js",
];
const OPEN_ROUTES = ["/health/live", "/health/ready"];

interface Case {
  readonly who: string;
  readonly api: TestApi;
  readonly headers: Record<string, string>;
  readonly client: number;
  readonly admin: number;
}

describe.each<Case>([
  { who: "nobody, no keys exist", api: open, headers: {}, client: 200, admin: 200 },
  {
    who: "any key, none exist",
    api: open,
    headers: bearer("sk-whatever"),
    client: 200,
    admin: 200,
  },
  { who: "nobody", api: keyed, headers: {}, client: 401, admin: 401 },
  { who: "a wrong key", api: keyed, headers: bearer("wrong"), client: 401, admin: 401 },
  { who: "an empty key", api: keyed, headers: bearer(""), client: 401, admin: 401 },
  { who: "an empty x-api-key", api: keyed, headers: { "x-api-key": "" }, client: 401, admin: 401 },
  {
    who: "a key one character short",
    api: keyed,
    headers: bearer(ADMIN_KEY.slice(0, -1)),
    client: 401,
    admin: 401,
  },
  {
    who: "the hash of a stored key",
    api: stored,
    headers: bearer(storedKey("stored-admin", "admin").hash),
    client: 401,
    admin: 401,
  },
  { who: "Basic", api: keyed, headers: { authorization: ADMIN_KEY }, client: 401, admin: 401 },
  { who: "the client key", api: keyed, headers: bearer(CLIENT_KEY), client: 200, admin: 403 },
  {
    who: "the client key as x-api-key",
    api: keyed,
    headers: { "x-api-key": CLIENT_KEY },
    client: 200,
    admin: 403,
  },
  { who: "the admin key", api: keyed, headers: bearer(ADMIN_KEY), client: 200, admin: 200 },
  {
    who: "bearer in lower case",
    api: keyed,
    headers: { authorization: `bearer ${ADMIN_KEY}` },
    client: 200,
    admin: 200,
  },
  {
    who: "a wrong bearer beside a right x-api-key",
    api: keyed,
    headers: { ...bearer("wrong"), "x-api-key": ADMIN_KEY },
    client: 200,
    admin: 200,
  },
  {
    who: "a stored client key",
    api: stored,
    headers: bearer("stored-client"),
    client: 200,
    admin: 403,
  },
  {
    who: "a stored admin key",
    api: stored,
    headers: bearer("stored-admin"),
    client: 200,
    admin: 200,
  },
  {
    who: "a revoked admin key",
    api: stored,
    headers: bearer("revoked-admin"),
    client: 401,
    admin: 401,
  },
])("with $who", ({ api, headers, client, admin }) => {
  const statuses = (paths: string[]) =>
    Promise.all(paths.map(async (path) => [path, (await api.call(path, { headers })).status]));

  test(`client routes answer ${client}`, async () => {
    expect(await statuses(CLIENT_ROUTES)).toEqual(CLIENT_ROUTES.map((path) => [path, client]));
  });

  test(`admin routes answer ${admin}`, async () => {
    expect(await statuses(ADMIN_ROUTES)).toEqual(ADMIN_ROUTES.map((path) => [path, admin]));
  });

  test("health needs no key", async () => {
    expect(await statuses(OPEN_ROUTES)).toEqual(OPEN_ROUTES.map((path) => [path, 200]));
  });
});

test("once keys exist every route but health refuses a stranger", async () => {
  const unguarded = [];
  for (const { method, path } of keyed.routes) {
    const concrete = path.replaceAll(/:\w+/g, "x").replace("*", "x/y");
    const { status } = await keyed.call(concrete, { method });
    if (status !== 401) unguarded.push(`${method} ${path} ${status}`);
  }
  expect(unguarded).toEqual(["GET /health/live 200", "GET /health/ready 200"]);
});

test("a refusal is in the dialect of its route and never repeats the key", async () => {
  const secret = "sk-test-1234567890";
  const client = await keyed.call("/v1/models", { headers: bearer(secret) });
  const admin = await keyed.call("/admin/v1/keys", { headers: bearer(secret) });
  const scope = await keyed.call("/admin/v1/keys", { headers: bearer(CLIENT_KEY) });
  const texts = await Promise.all([client, admin, scope].map((answer) => answer.text()));

  expect(texts.map((text): unknown => JSON.parse(text))).toEqual([
    {
      error: {
        code: "invalid_api_key",
        type: "authentication_error",
        param: null,
        message: expect.stringContaining("veriroute keys create --scope client"),
      },
    },
    {
      error: {
        code: "invalid_api_key",
        message: expect.stringContaining("veriroute keys create --scope admin"),
        param: null,
        details: null,
      },
    },
    {
      error: {
        code: "admin_key_required",
        message: expect.stringContaining("veriroute keys create --scope admin"),
        param: null,
        details: null,
      },
    },
  ]);
  expect(texts.join("")).not.toContain("1234567890");
  expect(texts.join("")).not.toContain(CLIENT_KEY);
});

test.each([
  { name: "no key, none exist", api: open, headers: {}, status: 200, debug: true },
  { name: "the client key", api: keyed, headers: bearer(CLIENT_KEY), status: 403, debug: null },
  { name: "the admin key", api: keyed, headers: bearer(ADMIN_KEY), status: 200, debug: true },
])("x-veriroute-debug with $name answers $status", async ({ api, headers, status, debug }) => {
  const before = api.relay.handled.length;
  const answer = await api.send(
    "/v1/chat/completions",
    { messages: [{}] },
    { headers: { ...headers, "x-veriroute-debug": "1" } },
  );

  expect(answer.status).toBe(status);
  expect(api.relay.handled[before]?.debug ?? null).toBe(debug);
});

test("the first key closes the router, and a client key alone opens no admin route", async () => {
  await using api = await startApi();
  const created = await api.send("/admin/v1/keys", { name: "laptop", scope: "client" });
  const [, key = ""] = /"key":"([^"]+)"/.exec(await created.text()) ?? [];
  const status = async (path: string, headers = {}) => (await api.call(path, { headers })).status;

  expect([
    created.status,
    await status("/v1/models"),
    await status("/v1/models", bearer(key)),
    await status("/admin/v1/keys", bearer(key)),
  ]).toEqual([201, 401, 200, 403]);
});

test.each([
  { what: "the keys were lost", keys_lost: true, status: 401 },
  { what: "no key was ever made", keys_lost: false, status: 200 },
])("where $what, whoever reaches loopback is answered $status", async (row) => {
  const state = () => storedState({ keys_lost: row.keys_lost });
  await using api = await startApi({ storeChanges: { state } });

  const answers = await Promise.all(
    [...CLIENT_ROUTES, ...ADMIN_ROUTES].map(async (path) => (await api.call(path)).status),
  );
  const { status } = await api.call("/health/ready");

  expect(new Set(answers)).toEqual(new Set([row.status]));
  expect(status).toBe(200);
});

const lostState = () => storedState({ keys_lost: true });

test("where the keys were lost, a refusal says how to make new ones, and the config's own still work", async () => {
  await using bare = await startApi({ storeChanges: { state: lostState } });
  await using configured = await startApi({ toml: KEYED, storeChanges: { state: lostState } });

  const refused = await bare.call("/admin/v1/config", { headers: bearer("vr-old") });

  expect(await refused.text()).toContain("`veriroute keys create --scope admin` makes a new one");
  const headers = bearer(ADMIN_KEY);
  expect((await configured.call("/admin/v1/config", { headers })).status).toBe(200);
});
