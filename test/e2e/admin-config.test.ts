import { afterAll, describe, expect, test } from "bun:test";

import { startApi } from "../support/api-server.ts";

const api = await startApi({ toml: '[pools.main]\ntargets = ["sim:echo"]\n' });
afterAll(() => api[Symbol.asyncDispose]());

const problem = (code: string, param: string | null, says: string) => ({
  error: expect.objectContaining({ code, param, message: expect.stringContaining(says) }),
});

const change = (method: string, key: string, body?: unknown) =>
  api.call(`/admin/v1/config/${key}`, {
    method,
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  });

describe("config", () => {
  test("every value is listed with its source, in one page", async () => {
    const listed = await (await api.call("/admin/v1/config")).json();

    expect(listed).toEqual({
      items: expect.arrayContaining([
        { key: "server.port", value: 8484, source: "default", writable: false },
        { key: "routing.default_pool", value: null, source: "default", writable: true },
        { key: "pools.main.targets", value: ["sim:echo"], source: "file", writable: false },
      ]),
      next: null,
    });
  });

  test("a value set here counts until it is deleted", async () => {
    const set = await change("PUT", "routing.default_pool", { value: "main" });
    const removed = await change("DELETE", "routing.default_pool");
    const item = { key: "routing.default_pool", writable: true };

    expect([set.status, await set.json()]).toEqual([
      200,
      { ...item, value: "main", source: "store" },
    ]);
    expect([removed.status, await removed.json()]).toEqual([
      200,
      { ...item, value: null, source: "default" },
    ]);
    expect(await (await api.call("/admin/v1/audit?limit=2")).json()).toMatchObject({
      items: [
        { actor: "anonymous", action: "config.delete", subject: "routing.default_pool" },
        {
          actor: "anonymous",
          action: "config.set",
          subject: "routing.default_pool",
          detail: '"main"',
        },
      ],
    });
  });

  test.each([
    {
      key: "server.admin_key",
      body: { value: "mine" },
      status: 403,
      error: problem("config_key_not_writable", "key", "`routing.default_pool`"),
    },
    {
      key: "no.such.key",
      body: { value: 1 },
      status: 403,
      error: problem("config_key_not_writable", "key", "`no.such.key`"),
    },
    {
      key: "routing.max_attempts",
      body: { value: 0 },
      status: 422,
      error: problem("invalid_value", "value", "routing.max_attempts"),
    },
    {
      key: "routing.default_pool",
      body: { value: "no-such-pool" },
      status: 422,
      error: problem("invalid_value", "value", "no-such-pool"),
    },
    {
      key: "routing.max_attempts",
      body: { valeu: 1 },
      status: 400,
      error: problem("invalid_request", "valeu", "known are `value`"),
    },
    {
      key: "routing.max_attempts",
      body: {},
      status: 400,
      error: problem("invalid_request", "value", "`value` is missing"),
    },
  ])("PUT $key $body is $status", async ({ key, body, status, error }) => {
    const answer = await change("PUT", key, body);

    expect([answer.status, await answer.json()]).toEqual([status, error]);
  });

  test("a reload takes a good file and keeps the running config beside a bad one", async () => {
    await using own = await startApi({ toml: "[routing]\nmax_attempts = 4\n" });
    const reload = () => own.call("/admin/v1/config/reload", { method: "POST" });
    own.file.text = "[routing]\nmax_attempts = 5\n";
    const good = await reload();
    own.file.text = '[routing]\nmax_attempts = "six"\nmax_atempts = 1\n';
    const bad = await reload();
    const now = await (await own.call("/admin/v1/config")).text();

    expect([good.status, await good.json()]).toEqual([
      200,
      { reloaded: true, changed: ["routing.max_attempts"], restart: [] },
    ]);
    expect([bad.status, await bad.json()]).toMatchObject([
      422,
      {
        error: {
          code: "invalid_value",
          message: expect.stringMatching(
            /the running one stays: .*veriroute\.toml:\d+:\d+: .*and 1 more/,
          ),
          details: { problems: [{ path: expect.any(String) }, { path: expect.any(String) }] },
        },
      },
    ]);
    expect(now).toContain('{"key":"routing.max_attempts","value":5,"source":"file"');
  });
});

const prune = (init: RequestInit) => api.call("/admin/v1/store/prune", { method: "POST", ...init });

describe("a route without a body", () => {
  test.each([
    { name: "nothing", init: {}, status: 200 },
    {
      name: "an empty JSON body",
      init: { headers: { "content-type": "application/json" } },
      status: 200,
    },
    {
      name: "an empty object",
      init: { headers: { "content-type": "application/json" }, body: "{}" },
      status: 200,
    },
    {
      name: "a member",
      init: { headers: { "content-type": "application/json" }, body: '{"all":true}' },
      status: 400,
    },
    { name: "a form", init: { body: new URLSearchParams({ a: "1" }) }, status: 415 },
    { name: "text", init: { body: "x" }, status: 415 },
    { name: "an empty text", init: { headers: { "content-type": "text/plain" } }, status: 415 },
  ])("with $name answers $status", async ({ init, status }) => {
    expect((await prune(init)).status).toBe(status);
  });

  test("prune says what it deleted", async () => {
    const answer = await prune({});

    expect(await answer.json()).toEqual({
      deleted: expect.any(Number),
      size_bytes: expect.any(Number),
    });
  });
});
