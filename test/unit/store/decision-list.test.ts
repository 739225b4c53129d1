import type { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";

import { formatCursor } from "../../../src/store/sqlite/cursor.ts";
import { IN_MEMORY, openDatabase } from "../../../src/store/sqlite/database.ts";
import { createDecisionTable, type DecisionTable } from "../../../src/store/sqlite/decisions.ts";
import { countMangled, listVerifications } from "../../../src/store/sqlite/verifications.ts";
import type { DecisionFilter, VerificationFilter } from "../../../src/store/store.ts";
import { decision } from "../../support/decisions.ts";
import { combinations, plansOf } from "../../support/query-plans.ts";

/** Steps along an index, look-ups by key, and what reads a single record. */
const ALLOWED = [
  /^SEARCH (decision|attempt|tried|verification) (EXISTS )?USING (COVERING INDEX|INDEX|PRIMARY KEY|INTEGER PRIMARY KEY)\b/,
  /^SCAN decision USING COVERING INDEX decision_by_time$/,
  /^(SCAN CONSTANT ROW|SCALAR SUBQUERY \d+|SEARCH verification)$/,
  /^(CO-ROUTINE one|SCAN one|CORRELATED SCALAR SUBQUERY \d+)$/,
];
const forbidden = (steps: readonly string[]) =>
  steps.filter((step) => !ALLOWED.some((allowed) => allowed.test(step)));

test("a list of decisions reads no table whole and sorts nothing, whatever the filter", () => {
  using db = openDatabase(IN_MEMORY);
  const table = createDecisionTable(db);
  const filters = combinations<Omit<DecisionFilter, "limit">>({
    model: ["m", "a:m"],
    target: ["a:m"],
    status: [200],
    from: [1],
    to: [9],
    cursor: [formatCursor({ at: 5, id: "x" })],
  });

  const steps = plansOf(db, () => {
    for (const filter of filters) table.list({ ...filter, limit: 50 });
  });

  expect(filters).toHaveLength(96);
  expect(forbidden(steps)).toEqual([]);
});

test("a list of verdicts reads no table whole and sorts nothing, whatever the filter", () => {
  using db = openDatabase(IN_MEMORY);
  const filters = combinations<Omit<VerificationFilter, "limit">>({
    decision_id: ["d"],
    instance: ["a"],
    target: ["a:m"],
    verdict: ["empty"],
    signature: ["empty_200"],
    model_attributable: [1],
    from: [1],
    to: [9],
    cursor: ["5"],
  });

  const steps = plansOf(db, () => {
    for (const filter of filters) listVerifications(db, { ...filter, limit: 50 });
  });

  expect(filters).toHaveLength(512);
  expect(forbidden(steps)).toEqual([]);
});

test("what a process left unfinished is found without reading the rest", () => {
  using db = openDatabase(IN_MEMORY);

  const steps = plansOf(db, () => createDecisionTable(db).interruptUnfinished(9));

  expect(steps).toContain("SCAN decision USING INDEX decision_in_progress");
});

test("mangled answers of a day are counted without reading those of the other days", () => {
  using db = openDatabase(IN_MEMORY);

  const steps = plansOf(db, () => void countMangled(db, 9));

  expect(steps[0]).toBe("SEARCH verification USING INDEX verification_by_time (at>?)");
});

/** Filling a table takes seconds on a busy machine. */
const SLOW_MS = 30_000;

/** Decisions 1 to `rows`, newest last: served by `a:m`, but asked of every pool in turn and tried nowhere else. */
function fill(db: Database, rows: number): void {
  const { attempts, ...record } = decision({ served: "a:m", status: 200 });
  const numbers =
    "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :rows)";
  db.query(
    `${numbers} INSERT INTO decision (id, at, record) SELECT printf('d%06d', n), n / 2, json_set(:record,
       '$.id', printf('d%06d', n), '$.at', n / 2, '$.asked', 'pool:' || (n % 2)) FROM number`,
  ).run({ rows, record: JSON.stringify(record) });
  db.query(
    `${numbers} INSERT INTO attempt (decision_id, position, at, record)
     SELECT printf('d%06d', n), 0, n / 2, json_set(:record, '$.target', 'a:' || (n % 2)) FROM number`,
  ).run({ rows, record: JSON.stringify(attempts[0]) });
}

/** The ids that following `next` leads to, page by page. */
function pagesOf(table: DecisionTable, filter: DecisionFilter): string[][] {
  const pages: string[][] = [];
  let cursor: string | null | undefined;
  do {
    const page = table.list({ ...filter, ...(cursor ? { cursor } : {}) });
    pages.push(page.items.map((json) => JSON.parse(json).id));
    cursor = page.next;
  } while (cursor !== null);
  return pages;
}

describe("filters that are both frequent, and seldom together", () => {
  const filter = { model: "pool:1", target: "a:0", limit: 2 };
  const ROWS = 30_000;
  const RARE = ["d014680", "d000022", "d000002"];
  const open = () => {
    const db = openDatabase(IN_MEMORY);
    fill(db, ROWS);
    for (const id of RARE) {
      db.query(
        "UPDATE decision SET record = json_set(record, '$.asked', 'pool:1') WHERE id = :id",
      ).run({ id });
    }
    return db;
  };

  test(
    "are looked through a bounded part at a time, each match once and none left out",
    () => {
      using db = open();

      const pages = pagesOf(createDecisionTable(db), filter);

      expect(pages.flat()).toEqual(RARE);
      expect(pages[0]).toEqual([]);
      expect(pages.length).toBeLessThan(6);
    },
    SLOW_MS,
  );

  test(
    "go along an index within their part as well",
    () => {
      using db = open();
      const table = createDecisionTable(db);
      const steps = plansOf(db, () => void pagesOf(table, { ...filter, to: 15_000 }));

      expect(forbidden(steps)).toEqual([]);
      expect(steps).toContainEqual(expect.stringMatching(/\(at,\w+\)>\(\?,\?\) AND \(at,\w+\)</));
    },
    SLOW_MS,
  );

  test(
    "find nothing where there is nothing, and come to an end",
    () => {
      using db = open();

      expect(pagesOf(createDecisionTable(db), { ...filter, status: 418 })).toEqual([[]]);
    },
    SLOW_MS,
  );
});

test("verdicts of filters that are frequent, and seldom together, are all found in bounded pages", () => {
  using db = openDatabase(IN_MEMORY);
  db.query(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2100)
     INSERT INTO verification
       (at, decision_id, n, instance, target, kind, verdict, model_attributable, trips)
     SELECT n, 'd' || n, 1, CASE WHEN n % 2 OR n IN (2, 100, 2000) THEN 'a' ELSE 'b' END, 'b:m',
       'structural', CASE n % 2 WHEN 0 THEN 'empty' ELSE 'other' END, 1, 0 FROM number`,
  ).run();
  const found: string[][] = [];
  const filter = { instance: "a", verdict: "empty", limit: 50 };
  let cursor: string | null = "999999";
  while (cursor !== null) {
    const page = listVerifications(db, { ...filter, cursor }, 1000);
    found.push(page.items.map(({ decision_id }) => decision_id));
    cursor = page.next;
  }

  expect(found).toEqual([["d2000"], ["d100", "d2"]]);
});

test("verdicts of a time long ago are found in bounded pages", () => {
  using db = openDatabase(IN_MEMORY);
  db.query(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2100)
     INSERT INTO verification
       (at, decision_id, n, instance, target, kind, verdict, model_attributable, trips)
     SELECT n, 'd' || n, 1, 'a', 'a:m', 'structural', 'empty', 1, 0 FROM number`,
  ).run();
  const filter = { to: 4, limit: 50 };

  const first = listVerifications(db, filter, 1000);
  const second = listVerifications(db, { ...filter, cursor: first.next ?? "" }, 1000);
  const third = listVerifications(db, { ...filter, cursor: second.next ?? "" }, 1000);

  expect([first.items, second.items]).toEqual([[], []]);
  expect(third.items.map(({ at }) => at)).toEqual([3, 2, 1]);
  expect(third.next).toBeNull();
});

test("a record from before notes were kept is read with none", () => {
  using db = openDatabase(IN_MEMORY);
  const table = createDecisionTable(db);
  const { notes: _notes, ...plan } = decision().plan;
  table.write(JSON.stringify({ ...decision({ id: "old" }), plan }));

  const read = JSON.parse(table.get("old") ?? "{}");

  expect(read).toEqual(decision({ id: "old", plan: { ...plan, notes: [] } }));
});
