import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { readServeLock } from "../../src/store/serve-lock.ts";
import { type RunningBinary, startBinary } from "../support/binary.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";

/** A request that is open until its client or the server ends it. */
async function openStream(url: string): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "sim:story?tokens_per_second=1",
      stream: true,
      messages: [{ role: "user", content: "tell" }],
    }),
  });
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s without open requests ends it with 0",
  async (signal) => {
    using home = tempDir();
    await using server = await startBinary([], { env: { HOME: home.path }, cwd: home.path });

    server.signal(signal);

    expect(await server.exited).toBe(0);
    expect(existsSync(join(home.path, ".local/state/veriroute/serve.lock"))).toBe(false);
  },
  30_000,
);

test("SIGTERM ends an open stream properly after the drain, and the process with 0", async () => {
  using home = tempDir();
  await using server = await startBinary([], {
    env: { HOME: home.path, VERIROUTE_SERVER_DRAIN: "100ms" },
    cwd: home.path,
  });
  const stream = await openStream(server.url);

  server.signal("SIGTERM");
  const text = await stream.text();

  expect(text).toContain("router_shutdown");
  expect(text.trimEnd().split("\n").at(-1)).toBe("data: [DONE]");
  expect(await server.exited).toBe(0);
}, 30_000);

test.each([
  { signal: "SIGTERM", code: 143 },
  { signal: "SIGINT", code: 130 },
] as const)(
  "a second $signal ends it at once with $code",
  async ({ signal, code }) => {
    using home = tempDir();
    await using server = await startBinary([], {
      env: { HOME: home.path, VERIROUTE_SERVER_DRAIN: "10m" },
      cwd: home.path,
    });
    await openStream(server.url);

    server.signal(signal);
    await server.saw(/letting open requests end/);
    server.signal(signal);

    expect(await server.exited).toBe(code);
  },
  30_000,
);

test("SIGHUP takes a good config over and leaves the running one for a bad one", async () => {
  using home = tempDir();
  const file = home.file("veriroute.toml");
  writeFileSync(file, '[pools.old]\ntargets = ["sim:echo"]\n');
  await using server = await startBinary(["--config", file], {
    env: { HOME: home.path },
    cwd: home.path,
  });
  const models = async () => (await fetch(`${server.url}/v1/models`)).text();
  expect(await models()).toContain("pool:old");

  writeFileSync(file, '[pools.new]\ntargets = ["sim:echo"]\n');
  server.signal("SIGHUP");
  await server.saw(/config read again/);
  expect(await models()).toContain("pool:new");
  expect(await models()).not.toContain("pool:old");

  writeFileSync(file, "[pools.broken]\ntargets = 1\n");
  server.signal("SIGHUP");
  await server.saw(/config not taken over[^]*pools\.broken/);
  expect(await models()).toContain("pool:new");
}, 30_000);

/** A server that gets `signal` while its start waits for the database. */
async function startWith(signal: NodeJS.Signals, home: TempDir): Promise<RunningBinary> {
  const state = home.file("state");
  mkdirSync(state);
  using database = new Database(join(state, "veriroute.db"));
  database.run("PRAGMA journal_mode = WAL");
  database.run("BEGIN IMMEDIATE");
  const env = { HOME: home.path, VERIROUTE_STATE_DIR: state };
  const starting = startBinary([], { env, cwd: home.path });
  // The lock is taken before the database is opened.
  const { pid } = await until(() => readServeLock(join(state, "serve.lock")) ?? undefined);
  process.kill(pid, signal);
  await Bun.sleep(200);
  database.close();
  return starting;
}

test("SIGHUP during the start ends nothing: the config is read again once it is over", async () => {
  using home = tempDir();
  await using server = await startWith("SIGHUP", home);

  await server.saw(/config read again/);

  expect((await fetch(`${server.url}/health/live`, { proxy: false })).status).toBe(200);
}, 30_000);

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s during the start ends it properly once it has started",
  async (signal) => {
    using home = tempDir();
    await using server = await startWith(signal, home);

    expect(await server.exited).toBe(0);
    expect(server.stderr()).toContain(`${signal}: stops once it has started`);
    expect(existsSync(home.file("state/serve.lock"))).toBe(false);
  },
  30_000,
);
