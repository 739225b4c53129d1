import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { existsSync, statSync, writeFileSync } from "node:fs";

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
    stderr: "",
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
