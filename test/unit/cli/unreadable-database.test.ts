import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";

import initial from "../../../src/store/sqlite/migrations/0001-initial.sql" with { type: "text" };
import { runCommand } from "../../support/shell.ts";
import { tempDir } from "../../support/temp-dir.ts";

/** A database as a version with this schema left it. */
function writeDatabase(path: string, schema: number): void {
  const db = new Database(path, { create: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run(initial);
  db.run("INSERT INTO api_key VALUES ('k1', 'a', 'client', 'hash', 'vr-1', 1, NULL)");
  db.run(`PRAGMA user_version = ${schema}`);
  db.close();
}

test.each<{ what: string; write: (path: string) => void; says: string }>([
  {
    what: "damaged",
    write: (path) => writeFileSync(path, "no database ".repeat(1000)),
    says: "file is not a database",
  },
  {
    what: "of a newer version",
    write: (path) => writeDatabase(path, 999),
    says: "has schema 999",
  },
])("a database that is $what is no fault of the config, and `doctor` reports it", async (row) => {
  using state = tempDir();
  row.write(state.file("veriroute.db"));
  const before = readFileSync(state.file("veriroute.db"));
  const env = { VERIROUTE_STATE_DIR: state.path };

  const check = await runCommand(["check", "--json"], { env });
  const doctor = await runCommand(["doctor", "--json"], { env });

  expect(check.code).toBe(0);
  expect(JSON.parse(check.stdout)).toMatchObject({
    ok: true,
    warnings: [{ source: "database", message: expect.stringContaining(row.says) }],
  });
  expect(doctor.code).toBe(1);
  expect(JSON.parse(doctor.stdout)).toEqual({
    checks: expect.arrayContaining([
      {
        name: "database",
        status: "fail",
        detail: expect.stringContaining(row.says),
        fix: expect.stringContaining("docs/operations.md"),
      },
    ]),
  });
  expect(readFileSync(state.file("veriroute.db"))).toEqual(before);
});

test("`check` takes the keys of an older version into account and does not migrate them", async () => {
  using state = tempDir();
  writeDatabase(state.file("veriroute.db"), 1);
  const env = { VERIROUTE_STATE_DIR: state.path, VERIROUTE_SERVER_HOST: "0.0.0.0" };

  const { code, stderr } = await runCommand(["check"], { env });

  expect(code).toBe(78);
  expect(stderr).toContain("there is no admin key");
  using db = new Database(state.file("veriroute.db"), { readonly: true });
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 1 });
});
