import type { Decision } from "../../src/routing/decision.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { decision } from "./decisions.ts";

/** Fills a new database with `count` decisions that ended long ago, each as large as a real one. */
export function fillWithExpired(path: string, count: number): void {
  const { attempts, ...rest }: Decision = decision({ at: 0 });
  using db = openDatabase(path);
  db.query(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :count)
     INSERT INTO decision (id, at, record)
     SELECT 'old-' || n, n, json_set(:record, '$.id', 'old-' || n, '$.at', n) FROM number`,
  ).run({ count, record: JSON.stringify(rest) });
  db.query(
    `INSERT INTO attempt (decision_id, position, at, record)
     SELECT id, 0, at, :record FROM decision`,
  ).run({ record: JSON.stringify(attempts[0]) });
}
