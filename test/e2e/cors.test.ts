import { afterAll, expect, test } from "bun:test";

import { bearer, CLIENT_KEY, KEYED, startApi } from "../support/api-server.ts";

const ORIGIN = "https://chat.example.org";
const closed = await startApi();
const api = await startApi({ toml: `${KEYED}cors_origins = ["${ORIGIN}"]` });
afterAll(async () => {
  await Promise.all([api, closed].map((one) => one[Symbol.asyncDispose]()));
});

const corsOf = ({ headers }: Response) => ({
  origin: headers.get("access-control-allow-origin"),
  headers: headers.get("access-control-allow-headers"),
  methods: headers.get("access-control-allow-methods"),
  credentials: headers.get("access-control-allow-credentials"),
  network: headers.get("access-control-allow-private-network"),
});
const NOTHING = { origin: null, headers: null, methods: null, credentials: null, network: null };

const preflight = (headers: Record<string, string>, at = api) =>
  at.call("/v1/chat/completions", {
    method: "OPTIONS",
    headers: { origin: ORIGIN, "access-control-request-method": "POST", ...headers },
  });

interface PreflightCase {
  readonly asked: string;
  readonly allowed: string | null;
}

test.each<PreflightCase>([
  {
    asked:
      "x-stainless-os,x-stainless-retry-count,x-stainless-timeout,anthropic-version,anthropic-dangerous-direct-browser-access,openai-organization",
    allowed:
      "x-stainless-os, x-stainless-retry-count, x-stainless-timeout, anthropic-version, anthropic-dangerous-direct-browser-access, openai-organization",
  },
  { asked: "Authorization, Content-Type", allowed: "authorization, content-type" },
  { asked: "good, b@d, , two words, x(y)", allowed: "good" },
  { asked: `${"n".repeat(101)}, ok`, allowed: "ok" },
  { asked: "", allowed: null },
])("a preflight for `$asked` needs no key and allows `$allowed`", async ({ asked, allowed }) => {
  const answer = await preflight({ "access-control-request-headers": asked });

  expect([answer.status, corsOf(answer)]).toEqual([
    204,
    { ...NOTHING, origin: ORIGIN, headers: allowed, methods: "GET, POST, PUT, PATCH, DELETE" },
  ]);
});

test("a preflight from a public page may reach a private address only if its origin is listed", async () => {
  const ask = { "access-control-request-private-network": "true" };
  const listed = await preflight(ask);
  const foreign = await preflight({ ...ask, origin: "https://evil.test" });

  expect([corsOf(listed).network, corsOf(foreign).network]).toEqual(["true", null]);
});

test.each([
  { name: "not listed", origin: "https://evil.test", at: api },
  { name: "a longer name", origin: `${ORIGIN}.evil.test`, at: api },
  { name: "null", origin: "null", at: api },
  { name: "listed nowhere", origin: ORIGIN, at: closed },
])("a preflight of an origin that is $name is refused without headers", async ({ origin, at }) => {
  const answer = await preflight({ origin }, at);

  expect([answer.status, corsOf(answer)]).toEqual([403, NOTHING]);
});

test.each([
  { name: "an answer", path: "/v1/models", init: { headers: bearer(CLIENT_KEY) }, status: 200 },
  { name: "a missing key", path: "/v1/models", init: {}, status: 401 },
  { name: "an unknown route", path: "/v1/nothing", init: {}, status: 404 },
  { name: "a wrong method", path: "/v1/chat/completions", init: {}, status: 405 },
  {
    name: "a refused body",
    path: "/v1/chat/completions",
    init: { method: "POST", headers: bearer(CLIENT_KEY), body: "x" },
    status: 415,
  },
])("$name carries the headers of an allowed origin", async ({ path, init, status }) => {
  const headers = { ...("headers" in init ? init.headers : {}), origin: ORIGIN };
  const answer = await api.call(path, { ...init, headers });

  expect(answer.status).toBe(status);
  expect(corsOf(answer)).toEqual({ ...NOTHING, origin: ORIGIN });
  const exposed = answer.headers.get("access-control-expose-headers")?.split(", ");
  for (const name of ["request-id", "x-veriroute-decision", "x-veriroute-warnings"]) {
    expect(exposed).toContain(name);
  }
});

test("caches keep answers for different origins apart, and cookies are never allowed", async () => {
  const answer = await api.call("/health/live");

  expect(answer.headers.get("vary")).toBe("origin");
  expect(corsOf(answer)).toEqual(NOTHING);
});
