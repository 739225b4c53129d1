import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";

import { acquireServeLock } from "../../../src/store/serve-lock.ts";
import { runCommand, SHELL_NOW } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";

test("a key is shown once, listed by its beginning, and revoked once", async () => {
  using state = tempDir();
  const env = { VERIROUTE_STATE_DIR: state.path };

  const created = await runCommand(
    ["keys", "create", "--scope", "client", "--name", "bob", "--json"],
    { env },
  );
  expect(JSON.parse(created.stdout)).toEqual({
    id: expect.stringMatching(/^[\w-]+$/),
    key: expect.stringMatching(/^vr-.{20,}/),
    name: "bob",
    scope: "client",
  });
  const [, id = "", secret = ""] = /"id":"(.+?)","key":"(.+?)"/.exec(created.stdout) ?? [];

  const listed = await runCommand(["keys", "list", "--json"], { env });
  expect(listed.stdout).not.toContain(secret);
  expect(JSON.parse(listed.stdout)).toEqual({
    items: [
      {
        id,
        name: "bob",
        scope: "client",
        prefix: secret.slice(0, 8),
        created_at: SHELL_NOW,
        revoked_at: null,
        profile: null,
      },
    ],
  });

  expect(await runCommand(["keys", "revoke", id, "--json"], { env })).toEqual({
    code: 0,
    stdout: `${JSON.stringify({ id, revoked_at: SHELL_NOW })}\n`,
    stderr: expect.stringContaining("a server on loopback now lets everyone on this machine in"),
  });
  const again = await runCommand(["keys", "revoke", id], { env });
  expect(again).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(`no key \`${id}\` is in use`),
  });
  expect((await runCommand(["keys", "list"], { env })).stdout).toContain("2030-01-02");
});

test("a key may have a profile that the file or the store defines", async () => {
  using state = tempDir();
  const env = { VERIROUTE_STATE_DIR: state.path, VERIROUTE_CONFIG: state.file("veriroute.toml") };
  await Bun.write(env.VERIROUTE_CONFIG, "[profiles.filed]\n");
  const create = (profile: string) =>
    runCommand(["keys", "create", "--scope", "client", "--profile", profile], { env });

  expect(await create("filde")).toEqual({
    code: 1,
    stdout: "",
    stderr: "veriroute keys: there is no profile `filde`; near it: `filed`\n",
  });
  expect((await create("wholly-different")).stderr).toContain(
    "define it under `[profiles.wholly-different]` or with `PUT /admin/v1/profiles/",
  );
  expect(existsSync(state.file("veriroute.db"))).toBe(false);
  const first = await create("filed");
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("profile `filed`") });
  const database = new Database(state.file("veriroute.db"));
  database.run("INSERT INTO profile (name, value) VALUES ('stored', '{}')");
  database.close();
  expect((await create("stored")).code).toBe(0);

  const { items } = JSON.parse((await runCommand(["keys", "list", "--json"], { env })).stdout);
  expect(items.map(({ profile }: { profile: string }) => profile)).toEqual(["filed", "stored"]);
  const { stdout } = await runCommand(["keys", "list"], { env });
  expect(stdout).toMatch(/^ID +SCOPE +PROFILE +KEY/);
  expect(stdout).toMatch(/client +stored +vr-/);
});

test("no key is made with a profile while the config cannot be read", async () => {
  using state = tempDir();
  const env = { VERIROUTE_STATE_DIR: state.path, VERIROUTE_CONFIG: state.file("veriroute.toml") };
  await Bun.write(env.VERIROUTE_CONFIG, "[profiles\n");

  const answer = await runCommand(["keys", "create", "--scope", "client", "--profile", "x"], {
    env,
  });

  expect(answer).toMatchObject({ code: 1, stderr: expect.stringContaining("`veriroute check`") });
  expect((await runCommand(["keys", "list"], { env })).stdout).toContain("no keys");
});

test("listing and revoking make no database", async () => {
  using state = tempDir();
  const env = { VERIROUTE_STATE_DIR: state.path };

  expect((await runCommand(["keys", "list"], { env })).code).toBe(0);
  expect((await runCommand(["keys", "revoke", "key_x"], { env })).code).toBe(1);
  expect(existsSync(state.file("veriroute.db"))).toBe(false);
});

test("a backup is private, and never overwrites", async () => {
  using state = tempDir();
  const env = { VERIROUTE_STATE_DIR: state.path };
  await runCommand(["keys", "create", "--scope", "admin"], { env });

  const { code, stdout } = await runCommand(["backup", "copy.db"], { env, cwd: state.path });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(state.file("copy.db")),
  });
  expect(statSync(state.file("copy.db")).mode & 0o777).toBe(0o600);

  writeFileSync(state.file("other.db"), "mine");
  const refused = await runCommand(["backup", "other.db"], { env, cwd: state.path });
  expect(refused).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("not overwritten"),
  });
  expect(await Bun.file(state.file("other.db")).text()).toBe("mine");
});

test("without a home or a named state directory a command says which variable to set", async () => {
  const { code, stderr } = await runCommand(["keys", "list"]);

  expect(code).toBe(1);
  expect(stderr).toContain("VERIROUTE_STATE_DIR");
});

test("keys that went with their database are not taken for none", async () => {
  using state = tempDir();
  const env = { VERIROUTE_STATE_DIR: state.path };
  await runCommand(["keys", "create", "--scope", "admin"], { env });
  rmSync(state.file("veriroute.db"));

  const { stdout } = await runCommand(["keys", "list"], { env });

  expect(stdout).toBe(
    "the keys were lost with the database: nobody is let in until `veriroute keys create` makes new ones\n",
  );
});

test("revoking a key says nothing of open doors while another one is in use", async () => {
  using state = tempDir();
  const env = { VERIROUTE_STATE_DIR: state.path };
  const create = () => runCommand(["keys", "create", "--scope", "admin", "--json"], { env });
  const [first] = [await create(), await create()];

  const { id } = JSON.parse(first.stdout);

  expect(await runCommand(["keys", "revoke", id], { env })).toMatchObject({ code: 0, stderr: "" });
});

/** As version 2 left it: without profiles, and with a key in it. */
function olderState() {
  const state = tempDir();
  const database = new Database(state.file("veriroute.db"), { create: true });
  for (const name of ["0001-initial", "0002-health"]) {
    database.run(readFileSync(`src/store/sqlite/migrations/${name}.sql`, "utf8"));
  }
  database.run("PRAGMA user_version = 2");
  database.run(
    `INSERT INTO api_key (id, name, scope, hash, prefix, created_at)
     VALUES ('key-1', 'laptop', 'client', 'abcd', 'vr-abcde', 1)`,
  );
  database.close();
  return state;
}
const versionOf = (path: string) => {
  using database = new Database(path, { readonly: true });
  return database.query("PRAGMA user_version").get();
};

describe("on a database of an older version", () => {
  test("`list` shows its keys and leaves it as it is", async () => {
    using state = olderState();
    const env = { VERIROUTE_STATE_DIR: state.path };

    const { code, stdout } = await runCommand(["keys", "list", "--json"], { env });

    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      items: [{ id: "key-1", name: "laptop", profile: null }],
    });
    expect(versionOf(state.file("veriroute.db"))).toEqual({ user_version: 2 });
  });

  test.each([{ words: ["create", "--scope", "client"] }, { words: ["revoke", "key-1"] }])(
    "`$words.0` is refused while a server runs on it, and done without one",
    async ({ words }) => {
      using state = olderState();
      const env = { VERIROUTE_STATE_DIR: state.path };
      const lock = acquireServeLock(state.file("serve.lock"));
      if (lock.kind === "held") throw new Error("the directory is new");

      const refused = await runCommand(["keys", ...words], { env });
      const version = versionOf(state.file("veriroute.db"));
      lock.lock.release();
      const done = await runCommand(["keys", ...words], { env });

      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toContain(`an older server (pid ${process.pid}) runs on it`);
      expect(version).toEqual({ user_version: 2 });
      expect(done.code).toBe(0);
    },
  );
});
