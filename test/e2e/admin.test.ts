import { afterAll, beforeEach, describe, expect, test } from "bun:test";

import type { Decision } from "../../src/routing/decision.ts";
import { ADMIN_KEY, bearer, KEYED, NOW, startApi, type TestApi } from "../support/api-server.ts";
import { decision } from "../support/decisions.ts";

const api = await startApi({ toml: '[pools.main]\ntargets = ["sim:echo"]\n' });
afterAll(() => api[Symbol.asyncDispose]());

const get = async (path: string, at: TestApi = api): Promise<unknown> =>
  (await at.call(`/admin/v1${path}`)).json();
const problem = (code: string, param: string | null, says: string) => ({
  error: expect.objectContaining({ code, param, message: expect.stringContaining(says) }),
});

describe("keys", () => {
  test("a key is shown once, listed without its secret, and revoked once", async () => {
    await using own = await startApi({ toml: KEYED });
    const admin = { headers: bearer(ADMIN_KEY) };
    const created = await own.send("/admin/v1/keys", { name: "laptop", scope: "client" }, admin);
    const text = await created.text();
    const [, id = "", key = ""] = /^\{"id":"([^"]+)","key":"([^"]+)"/.exec(text) ?? [];
    const listed = await (await own.call("/admin/v1/keys", admin)).text();
    const revoke = () => own.call(`/admin/v1/keys/${id}`, { method: "DELETE", ...admin });
    const [first, second] = [await revoke(), await revoke()];

    expect([created.status, JSON.parse(text)]).toEqual([
      201,
      { id, key, name: "laptop", scope: "client" },
    ]);
    expect(JSON.parse(listed)).toEqual({
      items: [
        {
          id,
          name: "laptop",
          scope: "client",
          prefix: key.slice(0, 8),
          created_at: NOW,
          revoked_at: null,
          profile: null,
        },
      ],
      next: null,
    });
    expect(listed).not.toContain(key);
    expect(listed).not.toContain("hash");
    expect([first.status, await first.json()]).toEqual([200, { id, revoked_at: NOW }]);
    expect([second.status, await second.json()]).toEqual([
      404,
      problem("not_found", "id", "`GET /admin/v1/keys` lists them"),
    ]);
    expect(await (await own.call("/admin/v1/audit", admin)).json()).toEqual({
      items: [
        { at: NOW, actor: "config", action: "key.revoke", subject: id, detail: null },
        {
          at: NOW,
          actor: "config",
          action: "key.create",
          subject: id,
          detail: "client key `laptop`",
        },
      ],
      next: null,
    });
  });

  test.each([
    { body: {}, param: "name", says: "`name` is missing" },
    { body: { name: "", scope: "admin" }, param: "name", says: "1 to 128 characters" },
    { body: { name: "a\nb", scope: "admin" }, param: "name", says: "without line breaks" },
    { body: { name: "n".repeat(129), scope: "admin" }, param: "name", says: "1 to 128" },
    { body: { name: "n" }, param: "scope", says: "`client` or `admin`" },
    { body: { name: "n", scope: "root" }, param: "scope", says: "`client` or `admin`" },
    {
      body: { name: "n", scope: "admin", key: "mine" },
      param: "key",
      says: "`key` is not known here; known are `name`, `scope`, `profile`.",
    },
  ])("$body makes no key", async ({ body, param, says }) => {
    const answer = await api.send("/admin/v1/keys", body);

    expect([answer.status, await answer.json()]).toEqual([
      400,
      problem("invalid_request", param, says),
    ]);
    expect(api.store.state().keys).toEqual([]);
  });
});

describe("lists", () => {
  const pools = ["a", "b", "c"].map((name) => ({ name, strategy: "priority", targets: [] }));
  const paged = startApi({
    inventory: { providers: () => [], targets: () => [], pools: () => pools },
  });
  afterAll(async () => (await paged)[Symbol.asyncDispose]());

  test("a list goes on where its cursor says, and ends with null", async () => {
    const at = await paged;
    const first = await get("/pools?limit=2", at);
    const second = await get("/pools?limit=2&cursor=2", at);

    expect([first, second]).toEqual([
      { items: pools.slice(0, 2), next: "2" },
      { items: pools.slice(2), next: null },
    ]);
  });

  test.each([
    { query: "limit=0", param: "limit" },
    { query: "limit=501", param: "limit" },
    { query: "limit=ten", param: "limit" },
    { query: "limit=1.5", param: "limit" },
    { query: "limit=1&limit=2", param: "limit" },
    { query: "cursor=", param: "cursor" },
    { query: "cursor=-1", param: "cursor" },
    { query: "cursor=xyz", param: "cursor" },
    { query: "page=2", param: "page" },
    { query: "__proto__=2", param: "__proto__" },
  ])("?$query is refused on every list", async ({ query, param }) => {
    const lists = ["/pools", "/providers", "/targets", "/keys", "/config", "/audit", "/decisions"];
    const answers = await Promise.all(
      lists.map(async (list) => {
        const answer = await api.call(`/admin/v1${list}?${query}`);
        return [list, answer.status, await answer.json()];
      }),
    );

    expect(answers).toEqual(
      lists.map((list) => [list, 400, problem("invalid_request", param, "")]),
    );
  });

  test("an unknown provider is 404 and names its neighbours", async () => {
    expect(await get("/providers/opnai")).toEqual(
      problem("not_found", "name", "There is no provider `opnai`."),
    );
  });
});

describe("decisions", () => {
  const old: Decision = decision({ id: "d-old", at: 1000, asked: "pool:old", status: 503 });
  const young: Decision = decision({ id: "d-young", at: 2000, asked: "nim:a", served: "nim:a" });

  beforeEach(async () => {
    api.store.recordDecision(old);
    api.store.recordDecision(young);
    api.relay.script.decisions = [];
  });

  test.each([
    { query: "", ids: ["d-young", "d-old"] },
    { query: "?limit=1", ids: ["d-young"] },
    { query: "?model=pool:old", ids: ["d-old"] },
    { query: "?model=nim:a", ids: ["d-young"] },
    { query: "?target=nim:qwen3-30b", ids: ["d-young", "d-old"] },
    { query: "?status=503", ids: ["d-old"] },
    { query: "?from=2000", ids: ["d-young"] },
    { query: "?to=2000", ids: ["d-old"] },
    { query: "?from=1970-01-01T00:00:02Z", ids: ["d-young"] },
    { query: "?from=1970-01-01T01:00:02.000%2B01:00", ids: ["d-young"] },
    { query: "?from=1970-01-01T01:00:02+01:00", ids: ["d-young"] },
    { query: "?model=nothing", ids: [] },
  ])("`$query` lists $ids", async ({ query, ids }) => {
    const page = await get(`/decisions${query}`);

    expect(page).toMatchObject({ items: ids.map((id) => ({ id })) });
  });

  test.each([
    { query: "from=yesterday", param: "from" },
    { query: "to=2026-11-30", param: "to" },
    { query: "from=2026-13-45T99:00:00Z", param: "from" },
    { query: "status=99", param: "status" },
    { query: "status=ok", param: "status" },
    { query: "model=", param: "model" },
    { query: "modle=x", param: "modle" },
  ])("?$query is refused", async ({ query, param }) => {
    expect(await get(`/decisions?${query}`)).toEqual(problem("invalid_request", param, ""));
  });

  test("one in progress comes from memory, an older one from the store", async () => {
    const running = decision({ id: "d-young", outcome: "in_progress" });
    api.relay.script.decisions = [running];

    expect(await get("/decisions/d-young")).toEqual(running);
    expect(await get("/decisions/d-old")).toEqual(old);
    expect(await get("/decisions/d-none")).toEqual(problem("not_found", "id", "`d-none`"));
  });
});

test("an admin body above 64 KiB is refused", async () => {
  const answer = await api.send("/admin/v1/keys", { name: "n".repeat(70_000), scope: "admin" });

  expect([answer.status, await answer.json()]).toEqual([
    413,
    problem("body_too_large", null, "64 KiB, the limit of the admin API"),
  ]);
});
