import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";

import { createBatchWriter } from "../../../src/store/sqlite/batch-writer.ts";
import { IN_MEMORY, openDatabase } from "../../../src/store/sqlite/database.ts";
import { createDecisionTable } from "../../../src/store/sqlite/decisions.ts";
import { decision } from "../../support/decisions.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ENTRY = { at: 1, actor: "cli", action: "key.create", subject: "key-1", detail: null };

const batchOf = (...ids: string[]) => ({
  decisions: ids.map((id) => JSON.stringify(decision({ id }))),
  audit: [ENTRY],
  verifications: [],
});

/** Ends with its scope; `pauses` grows with every pause, whose end is `onPause`'s. */
function writerOn(path: string, onPause: () => void = () => undefined) {
  const db = openDatabase(path);
  db.run("PRAGMA busy_timeout = 0");
  const decisions = createDecisionTable(db);
  const pauses: number[] = [];
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds);
    onPause();
  };
  const write = createBatchWriter({ db, decisions, pause });
  return { db, decisions, pauses, write, [Symbol.dispose]: () => db.close() };
}

test("a batch that meets a lock is written once the lock is gone", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  using writer = writerOn(path, () => writer.pauses.length === 3 && other.run("COMMIT"));
  const other = new Database(path);
  other.run("BEGIN IMMEDIATE");

  expect(await writer.write(batchOf("a", "b"))).toEqual({ dropped: 0, trouble: null });

  other.close();
  expect(writer.pauses).toEqual([250, 250, 250]);
  expect(writer.decisions.list({ limit: 9 }).items).toHaveLength(2);
});

test("a batch that meets a lock for too long is dropped, counted, and explained", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  using writer = writerOn(path);
  const other = new Database(path);
  other.run("BEGIN IMMEDIATE");

  const result = await writer.write(batchOf("a", "b"));
  other.close();

  expect(result).toMatchObject({ dropped: 3, trouble: { kind: "locked" } });
  expect(String(result.trouble)).toContain("3 rows were not written: database is locked");
});

test("rows for a full disk are dropped and counted; what follows is written once there is room", async () => {
  using writer = writerOn(IN_MEMORY);
  const pages = writer.db.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count;
  writer.db.run(`PRAGMA max_page_count = ${pages}`);
  const many = batchOf(...Array.from({ length: 50 }, (_, n) => `lost-${n}`));

  expect(await writer.write(many)).toMatchObject({ dropped: 51, trouble: { kind: "full" } });
  writer.db.run("PRAGMA max_page_count = 100000");
  expect(await writer.write(batchOf("kept"))).toEqual({ dropped: 0, trouble: null });

  expect(writer.decisions.list({ limit: 9 }).items).toHaveLength(1);
});

test.each([
  { flaw: "no id", json: '{"at":1,"outcome":"ok","attempts":[]}' },
  { flaw: "no outcome", json: '{"id":"x","at":1,"attempts":[]}' },
  { flaw: "an attempt without target", json: '{"id":"x","at":1,"outcome":"ok","attempts":[{}]}' },
  {
    flaw: "text for a status",
    json: '{"id":"x","at":1,"outcome":"ok","status":"?","attempts":[]}',
  },
  { flaw: "broken JSON", json: '{"id":' },
])("a decision with $flaw is left out alone", async ({ json }) => {
  using writer = writerOn(IN_MEMORY);
  const { decisions, audit } = batchOf("before", "after");

  const result = await writer.write({ decisions: [...decisions, json], audit, verifications: [] });

  expect(result).toEqual({ dropped: 1, trouble: null });
  expect(writer.decisions.list({ limit: 9 }).items).toHaveLength(2);
  expect(writer.db.query("SELECT count(*) AS n FROM attempt").get()).toEqual({ n: 2 });
});
