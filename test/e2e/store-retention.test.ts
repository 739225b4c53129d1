import { expect, test } from "bun:test";
import { statSync } from "node:fs";

import { openDatabase } from "../../src/store/sqlite/database.ts";
import { decision } from "../support/decisions.ts";
import { openTestStore } from "../support/open-store.ts";
import { tempDir } from "../support/temp-dir.ts";

const EXPIRED = 200_000;
/** New decisions that are written and read back before the prune ends. */
const WANTED = 200;
const LIMIT_AT = 1_000_000_000;

/** A database with `EXPIRED` decisions from before `LIMIT_AT`, made in one statement. */
function fill(path: string): void {
  const db = openDatabase(path);
  db.query(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :rows)
     INSERT INTO decision (id, at, record)
     SELECT 'old-' || n, n, '{"outcome":"ok","asked":"m","served":"a:m","status":200}' FROM number`,
  ).run({ rows: EXPIRED });
  db.close();
}

test("200k expired decisions go in batches between which new ones are written and found", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  fill(path);
  await using store = await openTestStore(path);
  const sizeBefore = statSync(path).size;

  const order: string[] = [];
  const result = store.prune({ before: LIMIT_AT, max_size_bytes: 1e12 });
  const pruned = result.then(() => order.push("pruned"));
  for (let n = 0; n < WANTED; n++) {
    const recorded = decision({ at: LIMIT_AT + n });
    store.recordDecision(recorded);
    expect(await store.getDecision(recorded.id)).toEqual(recorded);
    order.push("found");
  }
  await pruned;

  expect((await result).deleted).toBe(EXPIRED);
  expect(order.indexOf("pruned")).toBe(WANTED);
  expect(store.stats()).toMatchObject({ dropped: 0, healthy: true });
  expect(statSync(path).size).toBeLessThan(sizeBefore / 4);
  expect((await store.listDecisions({ limit: 1, to: LIMIT_AT })).items).toEqual([]);
}, 60_000);

test("closing ends a prune that is under way, and the rest goes the next time", async () => {
  using folder = tempDir();
  const path = folder.file("veriroute.db");
  fill(path);
  const limits = { before: LIMIT_AT, max_size_bytes: 1e12 };
  let first = 0;
  {
    await using store = await openTestStore(path);
    const result = store.prune(limits);
    await store.getDecision("old-1");
    await store.close();
    first = (await result).deleted;
  }

  await using store = await openTestStore(path);
  const second = await store.prune({ ...limits, before: 5000 });

  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(EXPIRED);
  expect(first % 500).toBe(0);
  expect(second.deleted).toBe(Math.max(0, 4999 - first));
}, 60_000);
