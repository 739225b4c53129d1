import { expect, test } from "bun:test";

import { runBinary, startBinary } from "../support/binary.ts";
import { openChat } from "../support/load.ts";
import { type ScriptedUpstream, scriptedUpstream } from "../support/scripted-upstream.ts";
import { runIn } from "../support/state-directory.ts";
import { tempDir } from "../support/temp-dir.ts";

/**
 * Whoever makes a call without a thought for proxies follows these variables: what arrives here is
 * what would have left the machine.
 */
function wayOut(): ScriptedUpstream & { readonly env: Readonly<Record<string, string>> } {
  const out = scriptedUpstream((wire) => wire.json({}, 503));
  const { origin } = new URL(out.base_url);
  return { ...out, env: { HTTP_PROXY: origin, HTTPS_PROXY: origin, ALL_PROXY: origin } };
}

const PAGES = ["/swagger", "/swagger/json", "/metrics", "/v1/models", "/health/ready"];

test("with nothing configured it serves, and calls nobody", async () => {
  using home = tempDir();
  using out = wayOut();
  await using server = await startBinary([], runIn(home.path, out.env));
  await server.saw(/try it:/);

  const answer = await openChat(server.url, { model: "auto" });
  const pages = await Promise.all(PAGES.map((path) => fetch(server.url + path)));
  server.signal("SIGTERM");
  await server.exited;

  expect([answer, ...pages].map(({ status }) => status)).toEqual([200, ...PAGES.map(() => 200)]);
  expect(out.requests).toEqual([]);
}, 30_000);

test.each(["version", "init", "check", "doctor", "keys list", "--help"])(
  "`veriroute %s` calls nobody",
  async (words) => {
    using home = tempDir();
    using out = wayOut();

    const { code } = await runBinary(words.split(" "), runIn(home.path, out.env));

    // `doctor` may find something about the machine; what it must not do is ask somebody about it.
    expect(code).toBeLessThan(2);
    expect(out.requests).toEqual([]);
  },
  30_000,
);

test("the demo tells its whole story, serves every request, and calls nobody", async () => {
  using home = tempDir();
  using out = wayOut();

  const { code, stdout } = await runBinary(["demo", "--json"], runIn(home.path, out.env));

  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ client_errors: 0, recovered: true });
  expect(out.requests).toEqual([]);
}, 90_000);
