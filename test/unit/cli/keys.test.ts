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
