import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { version } from "../../package.json";
import { binaryPath, runBinary, startBinary } from "../support/binary.ts";
import { testWith } from "../support/skip.ts";
import { tempDir } from "../support/temp-dir.ts";

const CHAT = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ model: "sim:echo", messages: [{ role: "user", content: "hello there" }] }),
};

const filesBelow = (path: string) => readdirSync(path, { recursive: true }).map(String).toSorted();

test("alone in an empty directory it serves, and makes only its private state directory", async () => {
  using place = tempDir();
  using home = tempDir();
  cpSync(binaryPath(), place.file("veriroute"));

  await using server = await startBinary([], {
    binary: place.file("veriroute"),
    env: { HOME: home.path },
    cwd: place.path,
  });
  const answer = await fetch(`${server.url}/v1/chat/completions`, CHAT);

  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("hello there");
  expect(readdirSync(place.path)).toEqual(["veriroute"]);
  const state = join(home.path, ".local", "state", "veriroute");
  expect(statSync(state).mode & 0o777).toBe(0o700);
  const outside = filesBelow(home.path).filter((file) => !file.startsWith(".local"));
  expect(outside).toEqual([]);
  for (const file of readdirSync(state)) {
    expect(file).toMatch(/^(veriroute\.db(-wal|-shm)?|serve\.lock)$/);
    expect(statSync(join(state, file)).mode & 0o077).toBe(0);
  }
}, 30_000);

testWith("curl")(
  "the curl line it prints can be pasted and answers",
  async () => {
    using home = tempDir();
    await using server = await startBinary([], { env: { HOME: home.path }, cwd: home.path });
    const [line] = await server.saw(/curl http.*/);

    expect(await pasted(line)).toEqual(ANSWERED);
  },
  30_000,
);

testWith("curl")(
  "the curl line of the README answers on a machine with no account",
  async () => {
    using home = tempDir();
    await using server = await startBinary([], { env: { HOME: home.path }, cwd: home.path });
    const readme = await Bun.file("README.md").text();
    const [line = ""] = /^curl http[^`]*/m.exec(readme) ?? [];

    expect(await pasted(line.replace("http://127.0.0.1:8484", server.url))).toEqual(ANSWERED);
  },
  30_000,
);

const ANSWERED = { status: "200", body: expect.stringContaining("Say hello") };

/** What a curl line gives when a person pastes it into a shell. */
async function pasted(line: string): Promise<{ status: string; body: string }> {
  const command = line.replace("curl ", "curl -sS -w '\\n%{http_code}' ");
  const output = await Bun.spawn(["sh", "-c", command], { env: process.env }).stdout.text();
  const end = output.lastIndexOf("\n");
  return { status: output.slice(end + 1), body: output.slice(0, end) };
}

test("a .env, a bunfig.toml and a veriroute.toml beside it change nothing", async () => {
  using place = tempDir();
  using home = tempDir();
  const marker = place.file("marker");
  writeFileSync(place.file("evil.ts"), `await Bun.write(${JSON.stringify(marker)}, "ran");`);
  writeFileSync(place.file("bunfig.toml"), 'preload = ["./evil.ts"]\n');
  writeFileSync(place.file(".env"), "VERIROUTE_SERVER_HOST=0.0.0.0\nOPENAI_API_KEY=sk-planted\n");
  writeFileSync(place.file("veriroute.toml"), "[server]\nthis_is_no_key = 1\n");

  await using server = await startBinary([], { env: { HOME: home.path }, cwd: place.path });
  await server.saw(/veriroute\.toml.*--config \.\/veriroute\.toml/);

  expect(new URL(server.url).hostname).toBe("127.0.0.1");
  expect(server.stdout()).not.toContain("openai");
  expect(existsSync(marker)).toBe(false);
}, 30_000);

test.each<{ what: string; env: (home: string) => Record<string, string>; state: string }>([
  {
    what: "VERIROUTE_STATE_DIR",
    env: (home) => ({ VERIROUTE_STATE_DIR: `${home}/a`, STATE_DIRECTORY: `${home}/b` }),
    state: "a",
  },
  {
    what: "STATE_DIRECTORY",
    env: (home) => ({ STATE_DIRECTORY: `${home}/b`, XDG_STATE_HOME: `${home}/c` }),
    state: "b",
  },
  {
    what: "XDG_STATE_HOME",
    env: (home) => ({ XDG_STATE_HOME: `${home}/c` }),
    state: "c/veriroute",
  },
])(
  "$what says where the state goes",
  async ({ env, state }) => {
    using home = tempDir();
    mkdirSync(home.file("home"));

    await using server = await startBinary([], {
      env: { HOME: home.file("home"), ...env(home.path) },
      cwd: home.path,
    });

    expect(server.stdout()).toContain(server.url);
    expect(existsSync(home.file(`${state}/veriroute.db`))).toBe(true);
    expect(filesBelow(home.file("home"))).toEqual([]);
  },
  30_000,
);

test("it lifts Bun's limit on open requests by starting itself anew in the same process", async () => {
  using home = tempDir();
  await using server = await startBinary([], { env: { HOME: home.path }, cwd: home.path });

  // Elsewhere than on Linux only the answer tells that the process survived.
  const environ = Bun.file(`/proc/${server.pid}/environ`);
  if (process.platform === "linux") {
    expect(await environ.text()).toContain("BUN_CONFIG_MAX_HTTP_REQUESTS=65535");
  }
  expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
}, 30_000);

test("it says its version as package.json has it", async () => {
  using place = tempDir();

  const result = await runBinary(["version"], { env: {}, cwd: place.path });

  expect(result).toEqual({ code: 0, stdout: `veriroute ${version}\n`, stderr: "" });
});
