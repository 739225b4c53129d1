import { afterAll, expect, test } from "bun:test";

import { type Browser, chromium, type Page } from "playwright-core";

import { TAGS } from "../../src/api/describe.ts";
import { ADMIN_KEY, bearer, KEYED, startApi, type TestApi } from "../support/api-server.ts";
import { testWith } from "../support/skip.ts";

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

interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** URLs asked for that are not the router's. */
  readonly elsewhere: readonly string[];
  /** What the browser complained about, such as a breach of the policy. */
  readonly complaints: readonly string[];
}

/** Opens the page in a browser that can reach nothing but loopback. */
async function visit(api: TestApi): Promise<Visit> {
  const browser: Browser = await chromium.launch({
    executablePath: Bun.which("chromium") ?? "chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${api.url}/`) && !/^(data|blob|about):/.test(url)) elsewhere.push(url);
  });
  page.on("console", (line) => {
    if (line.type() === "error") complaints.push(line.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(`${api.url}/swagger`);
  return { page, elsewhere, complaints, [Symbol.asyncDispose]: () => browser.close() };
}

const tagsOf = (page: Page) =>
  page
    .locator(".opblock-tag")
    .evaluateAll((tags) => tags.map((tag) => tag.getAttribute("data-tag")));

async function tryChat(page: Page): Promise<string> {
  const block = page.locator(".opblock", { hasText: "/v1/chat/completions" }).first();
  await block.locator(".opblock-summary").click();
  await block.locator("button.execute").click();
  const answer = block.locator(".live-responses-table .response-col_status").last();
  return (await answer.innerText()).slice(0, 3);
}

const withBrowser = testWith("chromium");
const BROWSER_TIMEOUT_MS = 60_000;

withBrowser(
  "the page renders every tag and tries the chat route, asking nobody else",
  async () => {
    await using visited = await visit(open);
    const { page, elsewhere, complaints } = visited;
    await page.locator(".opblock-tag").first().waitFor();
    const tags = await tagsOf(page);
    const before = open.relay.handled.length;
    const status = await tryChat(page);

    expect(tags).toEqual(Object.keys(TAGS));
    expect(await page.locator(".errors-wrapper").count()).toBe(0);
    expect([status, open.relay.handled.length - before]).toEqual(["200", 1]);
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  },
  BROWSER_TIMEOUT_MS,
);

withBrowser(
  "with keys the page asks for one, refuses a wrong one, and sends the right one along",
  async () => {
    await using visited = await visit(keyed);
    const { page, elsewhere } = visited;
    const field = page.locator("input[name=key]");
    await field.fill("wrong");
    await page.locator("button", { hasText: "Open" }).click();
    await page.locator("output", { hasText: "not one of this router's keys" }).waitFor();
    await field.fill(ADMIN_KEY);
    await page.locator("button", { hasText: "Open" }).click();
    await page.locator(".opblock-tag").first().waitFor();
    const status = await tryChat(page);

    expect(await tagsOf(page)).toEqual(Object.keys(TAGS));
    expect(status).toBe("200");
    expect(elsewhere).toEqual([]);
  },
  BROWSER_TIMEOUT_MS,
);
