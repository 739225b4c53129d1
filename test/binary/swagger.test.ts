import { expect } from "bun:test";

import type { Locator, Page } from "playwright-core";

import { TAGS } from "../../src/api/describe.ts";
import { runBinary, startBinary } from "../support/binary.ts";
import { visit } from "../support/browser.ts";
import { testWith } from "../support/skip.ts";
import { tempDir } from "../support/temp-dir.ts";

const withBrowser = testWith("chromium");
const TIMEOUT_MS = 60_000;

/** The block of one operation, opened. */
async function open(page: Page, operation: string): Promise<Locator> {
  const block = page.locator(`.opblock[id$="${operation}"]`);
  await block.locator(".opblock-summary-control").first().click();
  await block.locator(".opblock-body").waitFor();
  return block;
}

/** Presses "Execute" with the example as it stands. */
async function execute(block: Locator): Promise<{ status: string; body: string }> {
  await block.locator("button.execute").click();
  const live = block.locator(".live-responses-table tbody");
  const status = await live.locator(".response-col_status").first().innerText();
  return { status: status.trim(), body: await live.locator("pre").first().innerText() };
}

withBrowser(
  "the docs page shows every tag and tries the chat route with no host but this one",
  async () => {
    using home = tempDir();
    await using server = await startBinary([], { env: { HOME: home.path }, cwd: home.path });
    await using visited = await visit(`${server.url}/swagger`);
    const { page, elsewhere, complaints } = visited;
    await page.locator(".opblock-tag").last().waitFor();
    const answered = await execute(await open(page, "postV1ChatCompletions"));
    const listed = await execute(await open(page, "getAdminV1Decisions"));

    const tags = page.locator(".opblock-tag");
    expect(await tags.evaluateAll((all) => all.map((tag) => tag.getAttribute("data-tag")))).toEqual(
      Object.keys(TAGS),
    );
    expect(answered).toEqual({ status: "200", body: expect.stringContaining("Say hello") });
    expect(listed).toEqual({ status: "200", body: expect.stringContaining('"asked": "auto"') });
    expect(await page.locator(".errors-wrapper").allInnerTexts()).toEqual([]);
    expect(complaints).toEqual([]);
    expect(elsewhere).toEqual([]);
  },
  TIMEOUT_MS,
);

withBrowser(
  "where keys exist, the page refuses a wrong one and lets in who types one from the command line",
  async () => {
    using home = tempDir();
    const options = { env: { HOME: home.path }, cwd: home.path };
    const made = await runBinary(["keys", "create", "--scope", "admin", "--json"], options);
    const { key } = JSON.parse(made.stdout);
    await using server = await startBinary([], options);
    await using visited = await visit(`${server.url}/swagger`);
    const { page, elsewhere } = visited;
    const type = async (text: string) => {
      await page.getByLabel("Admin key").fill(text);
      await page.getByRole("button", { name: "Open" }).click();
    };
    await type("wrong");
    await page.locator("output", { hasText: "not one of this router's keys" }).waitFor();
    await type(key);
    await page.locator(".opblock-tag").last().waitFor();
    const chat = await execute(await open(page, "postV1ChatCompletions"));
    const providers = await execute(await open(page, "getAdminV1Providers"));

    expect([chat.status, providers.status]).toEqual(["200", "200"]);
    expect(elsewhere).toEqual([]);
    expect(page.url()).not.toContain(key);
  },
  TIMEOUT_MS,
);
