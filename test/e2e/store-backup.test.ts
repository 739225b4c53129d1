import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";

import { backupDatabase } from "../../src/store/backup.ts";
import { StoreError } from "../../src/store/store-error.ts";
import { decision } from "../support/decisions.ts";
import { openTestStore } from "../support/open-store.ts";
import { tempDir } from "../support/temp-dir.ts";

function kindOfFailure(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error instanceof StoreError ? error.kind : error;
  }
}

async function makeDatabase(path: string): Promise<void> {
  const store = await openTestStore(path);
  await store.close();
}

test("a backup beside a running server holds what was written, and serves", async () => {
  using folder = tempDir();
  await using store = await openTestStore(folder.file("veriroute.db"));
  const recorded = Array.from({ length: 300 }, (_, at) => decision({ at }));
  for (const one of recorded) store.recordDecision(one);
  await store.setOverride("log.level", '"debug"');
  const copy = folder.file("copy.db");

  const result = backupDatabase(folder.file("veriroute.db"), copy);
  store.recordDecision(decision({ id: "after" }));

  expect(result).toEqual({ path: copy, size_bytes: statSync(copy).size });
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path).filter((name) => name.startsWith("copy"))).toEqual(["copy.db"]);
  const db = new Database(copy, { readonly: true });
  expect(db.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(db.query("PRAGMA auto_vacuum").get()).toEqual({ auto_vacuum: 2 });
  db.close();
  await using restored = await openTestStore(copy);
  expect((await restored.listDecisions({ limit: 500 })).items).toEqual(recorded.toReversed());
  expect(restored.state().overrides).toEqual({ "log.level": '"debug"' });
});

test("what a server that is gone left unfinished is interrupted in its backup, too", async () => {
  using folder = tempDir();
  await using store = await openTestStore(folder.file("veriroute.db"));
  store.recordDecision(decision({ id: "open", outcome: "in_progress" }));
  await store.getDecision("open");

  backupDatabase(folder.file("veriroute.db"), folder.file("copy.db"));
  await using restored = await openTestStore(folder.file("copy.db"));

  expect((await restored.getDecision("open"))?.outcome).toBe("interrupted");
  expect((await store.getDecision("open"))?.outcome).toBe("in_progress");
});

test("an existing file is never overwritten", async () => {
  using folder = tempDir();
  await makeDatabase(folder.file("veriroute.db"));
  writeFileSync(folder.file("copy.db"), "mine");
  const backUp = () => backupDatabase(folder.file("veriroute.db"), folder.file("copy.db"));

  expect(kindOfFailure(backUp)).toBe("exists");
  expect(readFileSync(folder.file("copy.db"), "utf8")).toBe("mine");
});

test.each([
  { fault: "no database", from: "absent.db", to: "copy.db", kind: "missing" },
  { fault: "a directory that is not there", from: "veriroute.db", to: "a/b", kind: "unwritable" },
  { fault: "a file that is no database", from: "text", to: "copy.db", kind: "damaged" },
])("$fault is an error that leaves nothing behind", async ({ from, to, kind }) => {
  using folder = tempDir();
  mkdirSync(folder.file("to"));
  await makeDatabase(folder.file("veriroute.db"));
  writeFileSync(folder.file("text"), "not a database\n".repeat(500));

  const failure = kindOfFailure(() => backupDatabase(folder.file(from), folder.file(`to/${to}`)));

  expect(failure).toBe(kind);
  expect(readdirSync(folder.file("to"))).toEqual([]);
});
