import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";

import { runCommand } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";

const MODELS = { object: "list", data: [{ id: "auto" }, { id: "pool:main" }] };

/** A router with and one without keys, as far as `setup` looks. */
const open = Bun.serve({ port: 0, fetch: () => Response.json(MODELS) });
const closed = Bun.serve({
  port: 0,
  fetch: ({ headers }) =>
    headers.get("authorization") === "Bearer client-key"
      ? Response.json(MODELS)
      : Response.json({ error: { message: "a key is needed" } }, { status: 401 }),
});
afterAll(() => Promise.all([open.stop(true), closed.stop(true)]));
const openUrl = `http://127.0.0.1:${open.port}`;
const closedUrl = `http://127.0.0.1:${closed.port}`;

const run = (home: string, url: string, ...words: readonly string[]) =>
  runCommand(["setup", ...words, "--url", url], {
    env: { HOME: home, VERIROUTE_KEY: "client-key" },
  });

const opencodeProvider = (url: string, more: object = {}) => ({
  npm: "@ai-sdk/openai-compatible",
  name: "veriroute",
  options: { baseURL: `${url}/v1`, ...more },
  models: { auto: { name: "auto" }, "pool:main": { name: "pool:main" } },
});

describe("opencode", () => {
  test("is given a provider in a file of its own where it has none, private, and taken back", async () => {
    using home = tempDir();
    const file = home.file(".config/opencode/opencode.json");

    const written = await run(home.path, openUrl, "opencode", "--write");

    expect(written).toEqual({
      code: 0,
      stdout: `wrote ${file}\n`,
      stderr: 'then: opencode run -m veriroute/auto "Say hello"\n',
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      $schema: "https://opencode.ai/config.json",
      provider: { veriroute: opencodeProvider(openUrl) },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await run(home.path, openUrl, "opencode", "--undo")).stdout).toBe(`deleted ${file}\n`);
    expect(existsSync(file)).toBe(false);
  });

  test("keeps its comments, its other providers and the mode of its file, and gets all back", async () => {
    using home = tempDir();
    mkdirSync(home.file(".config/opencode"), { recursive: true });
    const file = home.file(".config/opencode/opencode.jsonc");
    const mine = `{
  // my own
  "theme": "dark",
  "provider": {
    "mine": { "npm": "x" }, // keep
  },
}
`;
    writeFileSync(file, mine, { mode: 0o640 });

    const { stdout } = await run(home.path, closedUrl, "opencode", "--write");
    const after = readFileSync(file, "utf8");

    expect(stdout).toBe(`wrote ${file}; what stood there first is in ${file}.before-veriroute\n`);
    expect(after).toContain("// my own");
    expect(after).toContain("// keep");
    expect(after).toContain('"apiKey": "{env:VERIROUTE_KEY}"');
    expect(after).not.toContain("client-key");
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(`${file}.before-veriroute`, "utf8")).toBe(mine);

    await run(home.path, openUrl, "opencode", "--write");
    expect(readFileSync(`${file}.before-veriroute`, "utf8")).toBe(mine);

    await run(home.path, openUrl, "opencode", "--undo");
    expect(readFileSync(file, "utf8")).toBe(mine);
    expect(existsSync(`${file}.before-veriroute`)).toBe(false);
  });

  test("keeps what was changed in the meantime when it is taken back", async () => {
    using home = tempDir();
    mkdirSync(home.file(".config/opencode"), { recursive: true });
    const file = home.file(".config/opencode/opencode.json");
    writeFileSync(file, '{ "theme": "dark" }');
    await run(home.path, openUrl, "opencode", "--write");
    writeFileSync(file, readFileSync(file, "utf8").replace('"dark"', '"light"'));

    await run(home.path, openUrl, "opencode", "--undo");

    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ theme: "light", provider: {} });
  });

  test("shows with --dry-run what would be written and changes nothing", async () => {
    using home = tempDir();

    const { code, stdout } = await run(home.path, openUrl, "opencode", "--write", "--dry-run");

    expect(code).toBe(0);
    expect(JSON.parse(stdout).provider.veriroute).toEqual(opencodeProvider(openUrl));
    expect(existsSync(home.file(".config"))).toBe(false);
  });

  test("a file that is no JSON is left alone", async () => {
    using home = tempDir();
    mkdirSync(home.file(".config/opencode"), { recursive: true });
    const file = home.file(".config/opencode/opencode.json");
    writeFileSync(file, "{ broken");

    expect(await run(home.path, openUrl, "opencode", "--write")).toEqual({
      code: 1,
      stdout: "",
      stderr: `veriroute setup: ${file} is no JSON: an error at character 2\n`,
    });
    expect(readFileSync(file, "utf8")).toBe("{ broken");
  });
});

describe("codex", () => {
  test("gets a profile of its own, which `--undo` deletes", async () => {
    using home = tempDir();
    const file = home.file(".codex/veriroute.config.toml");

    await run(home.path, closedUrl, "codex", "--write", "--model", "pool:main");

    expect(Bun.TOML.parse(readFileSync(file, "utf8"))).toEqual({
      model: "pool:main",
      model_provider: "veriroute",
      model_providers: {
        veriroute: {
          name: "veriroute",
          base_url: `${closedUrl}/v1`,
          wire_api: "responses",
          env_key: "VERIROUTE_KEY",
        },
      },
    });
    await run(home.path, closedUrl, "codex", "--undo");
    expect(existsSync(file)).toBe(false);
  });

  test.each(["--write", "--undo"])(
    "a profile that somebody else made is left alone (%s)",
    async (flag) => {
      using home = tempDir();
      mkdirSync(home.file(".codex"));
      const file = home.file(".codex/veriroute.config.toml");
      writeFileSync(file, 'model = "mine"\n');

      const { code, stderr } = await run(home.path, openUrl, "codex", flag);

      expect(code).toBe(1);
      expect(stderr).toBe(
        `veriroute setup: ${file} was not made by \`veriroute setup codex\`: move it away, or edit it yourself\n`,
      );
      expect(readFileSync(file, "utf8")).toBe('model = "mine"\n');
    },
  );
});

test.each([
  { client: "claude-code", says: 'export ANTHROPIC_BASE_URL="<url>"' },
  { client: "aider", says: 'export OPENAI_API_BASE="<url>/v1"' },
  { client: "openai", says: 'export OPENAI_BASE_URL="<url>/v1"' },
  { client: "anthropic", says: 'export ANTHROPIC_API_KEY="$VERIROUTE_KEY"' },
  { client: "ai-sdk", says: 'baseURL: "<url>/v1", apiKey: process.env.VERIROUTE_KEY' },
  { client: "langchain", says: 'configuration: { baseURL: "<url>/v1" }' },
  { client: "open-webui", says: 'export OPENAI_API_BASE_URL="<url>/v1"' },
])("$client is told what to set, without the key itself", async ({ client, says }) => {
  const { code, stdout } = await run("/nowhere", closedUrl, client);

  expect(code).toBe(0);
  expect(stdout).toContain(says.replace("<url>", closedUrl));
  expect(stdout).not.toContain("client-key");
});

test.each([
  { words: [], says: "name a client: opencode, codex" },
  { words: ["opencod"], says: "did you mean `opencode`?" },
  { words: ["aider", "--write"], says: "has no file to write" },
  { words: ["codex", "--write", "--undo"], says: "exclude each other" },
  { words: ["codex", "--dry-run"], says: "goes with `--write` or `--undo`" },
])("wrong words are a usage problem: $words", async ({ words, says }) => {
  const { code, stderr } = await run("/nowhere", openUrl, ...words);

  expect(code).toBe(2);
  expect(stderr).toContain(says);
});

test("`--undo` where nothing was written says so", async () => {
  using home = tempDir();

  const { code, stderr } = await run(home.path, openUrl, "codex", "--undo");

  expect(code).toBe(1);
  expect(stderr).toContain("`veriroute setup codex --write` has not been run");
});

test("no server to ask is a problem with its fix", async () => {
  using home = tempDir();

  const { code, stderr } = await runCommand(["setup", "codex"], { env: { HOME: home.path } });

  expect(code).toBe(1);
  expect(stderr).toContain("start one, or name one with --url");
});
