import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";

import { runBinary, startBinary } from "../support/binary.ts";
import { tempDir } from "../support/temp-dir.ts";

const STACK_TRACE = /^\s+at |\.ts:\d+/m;

test.each<{ args: string[]; says: string }>([
  { args: ["chekc"], says: "did you mean `check`?" },
  { args: ["serve", "--prot", "1"], says: "did you mean `--port`?" },
])("$args ends with 2 and the nearest name", async ({ args, says }) => {
  using place = tempDir();

  const { code, stdout, stderr } = await runBinary(args, {
    env: { HOME: place.path },
    cwd: place.path,
  });

  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
  expect(stderr).not.toMatch(STACK_TRACE);
});

const BAD_CONFIG = `[server]
prot = 1
port = "high"

[pools.main]
targets = ["openai"]
strategy = "prioritty"
`;

test.each(["serve", "check"])(
  "`%s` lists every problem of a config and ends with 78",
  async (command) => {
    using place = tempDir();
    writeFileSync(place.file("bad.toml"), BAD_CONFIG);

    const { code, stderr } = await runBinary([command, "--config", "bad.toml"], {
      env: { HOME: place.path },
      cwd: place.path,
    });

    expect(code).toBe(78);
    expect(stderr).toContain("bad.toml:2:1: server.prot");
    expect(stderr).toContain("bad.toml:3:1: server.port");
    expect(stderr).toContain("bad.toml:7:1: pools.main.strategy");
    expect(stderr).not.toMatch(STACK_TRACE);
  },
);

test("a config file that was named and is not there ends the start with 78", async () => {
  using place = tempDir();

  const { code, stderr } = await runBinary(["serve", "--config", "none.toml"], {
    env: { HOME: place.path },
    cwd: place.path,
  });

  expect(code).toBe(78);
  expect(stderr).toContain("none.toml");
});

test("a bind that others can reach is refused without keys, with the fix", async () => {
  using place = tempDir();

  const { code, stderr } = await runBinary(["serve", "--host", "0.0.0.0", "--port", "0"], {
    env: { HOME: place.path },
    cwd: place.path,
  });

  expect(code).toBe(78);
  expect(stderr).toContain("veriroute keys create --scope client");
  expect(stderr).toContain("veriroute keys create --scope admin");
  expect(stderr).not.toMatch(STACK_TRACE);
});

test("keys made on the command line open that bind", async () => {
  using place = tempDir();
  const options = { env: { HOME: place.path }, cwd: place.path };
  for (const scope of ["client", "admin"])
    await runBinary(["keys", "create", "--scope", scope], options);

  await using server = await startBinary(["--host", "0.0.0.0"], options);

  const { port } = new URL(server.url);
  const answer = await fetch(`http://127.0.0.1:${port}/v1/models`);
  expect(answer.status).toBe(401);
}, 30_000);

test("a port in use is named, and the start ends with 1", async () => {
  using place = tempDir();
  using blocker = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("") });

  const { code, stderr } = await runBinary(["serve", "--port", String(blocker.port)], {
    env: { HOME: place.path },
    cwd: place.path,
  });

  expect(code).toBe(1);
  expect(stderr).toContain(String(blocker.port));
  expect(stderr).toContain("another program listens there");
  expect(stderr).not.toMatch(STACK_TRACE);
});

test("a second server on the same state directory names the first one and ends with 1", async () => {
  using place = tempDir();
  const options = { env: { HOME: place.path }, cwd: place.path };
  await using first = await startBinary([], options);

  const { code, stderr } = await runBinary(["serve", "--port", "0"], options);

  expect(code).toBe(1);
  expect(stderr).toContain(String(first.pid));
  expect(stderr).toContain(first.url);
  expect(stderr).not.toMatch(STACK_TRACE);
}, 30_000);

test("a server that was killed leaves nothing that keeps the next one from starting", async () => {
  using place = tempDir();
  const options = { env: { HOME: place.path }, cwd: place.path };
  {
    await using first = await startBinary([], options);
    first.signal("SIGKILL");
    await first.exited;
  }

  await using second = await startBinary([], options);

  expect((await fetch(`${second.url}/health/live`)).status).toBe(200);
}, 30_000);
