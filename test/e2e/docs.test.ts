import { afterAll, expect, test } from "bun:test";

import { ADMIN_KEY, bearer, KEYED, startApi } from "../support/api-server.ts";

const open = await startApi();
const keyed = await startApi({ toml: KEYED });
afterAll(async () => {
  await Promise.all([open, keyed].map((api) => api[Symbol.asyncDispose]()));
});

test("the page runs only its own script and the bundle, and may load from here only", async () => {
  const page = await open.call("/swagger");
  const policy = page.headers.get("content-security-policy") ?? "";

  expect(await page.text()).not.toMatch(/https?:\/\//);
  expect(policy.split("; ").toSorted()).toEqual([
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src data:",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    expect.stringMatching(/^script-src 'sha256-[^']+' 'sha256-[^']+'$/),
    "style-src 'unsafe-inline'",
  ]);
});

test.each([
  { path: "/swagger/ui.js", type: "text/javascript; charset=utf-8" },
  { path: "/swagger/ui.css", type: "text/css; charset=utf-8" },
  { path: "/swagger/json", type: "application/json" },
])("$path is served from here", async ({ path, type }) => {
  const answer = await open.call(path);

  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    expect.stringContaining(type),
  ]);
});

test("without a key the page comes as 401, with the form that asks for one", async () => {
  const [stranger, admin] = await Promise.all([
    keyed.call("/swagger"),
    keyed.call("/swagger", { headers: bearer(ADMIN_KEY) }),
  ]);

  expect([stranger.status, admin.status]).toEqual([401, 200]);
  expect(await stranger.text()).toBe(await admin.text());
});
