import { chromium, type Page } from "playwright-core";

import { tempDir } from "./temp-dir.ts";

const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // What the browser wants for itself, whatever the flags above say, ends here.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

export interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** URLs of what the page wanted from any host but this machine; none got through. */
  readonly elsewhere: readonly string[];
  /** Errors on the console, such as a breach of the page's policy, and uncaught ones. */
  readonly complaints: readonly string[];
}

/** Opens a page in a fresh browser that reaches nothing but this machine. */
export async function visit(url: string): Promise<Visit> {
  const profile = tempDir();
  const browser = await chromium.launchPersistentContext(profile.path, {
    executablePath: Bun.which("chromium") ?? "chromium",
    args: ARGS,
    serviceWorkers: "block",
    viewport: { width: 1280, height: 1000 },
  });
  const elsewhere: string[] = [];
  await browser.route(isElsewhere, (route) => {
    elsewhere.push(route.request().url());
    return route.abort();
  });
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on("console", (line) => {
    if (line.type() === "error") complaints.push(line.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(url);
  return {
    page,
    elsewhere,
    complaints,
    async [Symbol.asyncDispose]() {
      await browser.close();
      profile[Symbol.dispose]();
    },
  };
}

const isElsewhere = ({ protocol, hostname }: URL) =>
  /^(https?|wss?):$/.test(protocol) && hostname !== "127.0.0.1";
