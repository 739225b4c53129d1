import { afterAll, describe, expect, test } from "bun:test";

import { ADMIN_KEY, CLIENT_KEY, KEYED, rawCall, startApi } from "../support/api-server.ts";

const api = await startApi({ toml: KEYED });
afterAll(() => api[Symbol.asyncDispose]());

/** Request targets that some server, proxy or router might take for `/admin/v1/keys`. */
const SPELLINGS = [
  "/admin/v1/keys",
  "//admin/v1/keys",
  "/admin//v1/keys",
  "/./admin/v1/keys",
  "/admin/./v1/./keys",
  "/v1/../admin/v1/keys",
  "/health/live/../../admin/v1/keys",
  "/v1/models/../../admin/v1/keys",
  "/v1/models/%2e%2e/%2e%2e/admin/v1/keys",
  "/v1/models/..%2f..%2fadmin/v1/keys",
  "/v1/models/x%2F..%2F..%2Fadmin%2Fv1%2Fkeys",
  "/%2e/admin/v1/keys",
  "/health/%2e%2e/admin/v1/keys",
  "/%61dmin/v1/keys",
  "/admin%2Fv1%2Fkeys",
  "/admin/v1/keys/",
  "/admin/v1/keys.",
  "/admin/v1/keys%20",
  "/admin/v1/keys%00",
  "/admin/v1/keys;x=/health/live",
  "/admin/v1/keys?/health/live",
  "/admin/v1/keys#/health/live",
  "/health/live?/../../admin/v1/keys",
  "/ADMIN/v1/keys",
  "/Admin/V1/Keys",
  "/health\\..\\admin\\v1\\keys",
  "\\admin\\v1\\keys",
  "http://localhost/admin/v1/keys",
  "http://evil.test/admin/v1/keys",
  "http://localhost//admin/v1/keys",
  "HTTP://LOCALHOST/admin/v1/keys",
  "localhost/admin/v1/keys",
  "*",
];

const EXTRA = [
  { name: "nothing", lines: "" },
  { name: "X-Original-URL", lines: "\r\nX-Original-URL: /health/live" },
  { name: "X-Rewrite-URL", lines: "\r\nX-Rewrite-URL: /health/live" },
  { name: "X-Forwarded-*", lines: "\r\nX-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Host: localhost" },
  { name: "method override", lines: "\r\nX-HTTP-Method-Override: GET" },
];

const READ = '{"items":';

describe.each(SPELLINGS)("`%s`", (target) => {
  test.each(EXTRA)("with $name reads no keys without the admin key", async ({ lines }) => {
    for (const key of ["", `\r\nAuthorization: Bearer ${CLIENT_KEY}`]) {
      const answer = await rawCall(
        api.port,
        `GET ${target} HTTP/1.1\r\nHost: localhost${key}${lines}`,
      );

      expect(answer).not.toContain(READ);
      expect(answer).toMatch(/^HTTP\/1\.1 (400|401|403|404|200)/);
    }
  });
});

test("the plain spelling does read them with the key, so that the table above can fail", async () => {
  const answer = await rawCall(
    api.port,
    `GET /admin/v1/keys HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ADMIN_KEY}`,
  );

  expect(answer).toContain(READ);
});

test.each(["X-Original-URL", "X-Rewrite-URL"])(
  "%s moves no request to an admin route",
  async (name) => {
    const answer = await rawCall(
      api.port,
      `GET /health/live HTTP/1.1\r\nHost: localhost\r\n${name}: /admin/v1/keys`,
    );

    expect(answer).toContain('{"status":"live"}');
  },
);

test("a short host name does not shift where the path begins", async () => {
  await using short = await startApi({ toml: `${KEYED}allowed_hosts = ["a"]` });
  const ask = (path: string) => rawCall(short.port, `GET ${path} HTTP/1.1\r\nHost: a`);

  expect(await ask("/health/live")).toContain('{"status":"live"}');
  expect(await ask("/x/health/live")).toContain('"code":"not_found"');
});

test.each([
  { path: "/v1/models/mistralai/mistral-7b", id: "mistralai/mistral-7b" },
  { path: "/v1/models/mistralai%2Fmistral-7b", id: "mistralai/mistral-7b" },
  { path: "/v1/models/mistralai%2fmistral-7b", id: "mistralai/mistral-7b" },
  { path: "/v1/models/nim%3Aa%2Fb%2Fc", id: "nim:a/b/c" },
  { path: "/v1/models/nim:a/b/c", id: "nim:a/b/c" },
  { path: "/v1/models/with%20blank", id: "with blank" },
  { path: "/v1/models/100%25", id: "100%" },
])("$path is the model `$id`, as the list shows it", async ({ path, id }) => {
  await using models = await startApi({
    models: () => [
      { id: "auto", kind: "auto", instance: null },
      { id, kind: "model", instance: "nim" },
    ],
  });
  const list: unknown = await (await models.call("/v1/models")).json();
  const one: unknown = await (await models.call(path)).json();

  const entry = {
    id,
    object: "model",
    type: "model",
    created: 0,
    created_at: "1970-01-01T00:00:00Z",
    owned_by: "nim",
    display_name: id,
  };
  expect(one).toEqual(entry);
  expect(list).toEqual({
    object: "list",
    data: [{ ...entry, id: "auto", owned_by: "veriroute", display_name: "auto" }, entry],
    has_more: false,
    first_id: "auto",
    last_id: id,
    models: [],
  });
});
