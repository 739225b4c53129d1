import { openDatabase } from "../../../src/store/sqlite/database.ts";
import { decision } from "../../../test/support/decisions.ts";

/** What the rows are spread over. */
export const FILLED = {
  days: 20,
  models: 8,
  instances: 4,
  /** One decision in so many ended like this; all others with 200. */
  statuses: { 429: 50, 502: 101, 404: 100_003 },
  /** One in so many has a verdict worth a row. */
  verdicts: 25,
} as const;

const BLOCK = 100_000;

/** Makes a database of `rows` decisions of the last days, each with an attempt, as a router would have left it. */
export function fillHistory(path: string, rows: number, now: number): void {
  using db = openDatabase(path);
  db.run("PRAGMA synchronous = OFF");
  const { attempts, ...record } = decision();
  const { days, models, instances, statuses, verdicts } = FILLED;
  const shared = {
    base: now - days * 86_400_000,
    step: Math.floor((days * 86_400_000) / rows),
    models,
    instances,
  };
  const cases = Object.entries(statuses).map(
    ([status, every]) => `WHEN n % ${every} = 7 THEN ${status}`,
  );
  const numbers =
    "WITH RECURSIVE number (n) AS (SELECT :first UNION ALL SELECT n + 1 FROM number WHERE n < :last)";
  const target = "printf('box-%d:model-%d', n % :instances, n % :models)";
  const decisions = db.query(
    `${numbers} INSERT INTO decision (id, at, record)
     SELECT printf('01900000-%012d', n), :base + n * :step, json_set(:record,
       '$.id', printf('01900000-%012d', n), '$.at', :base + n * :step,
       '$.asked', printf('pool:p-%d', n % :models), '$.served', ${target},
       '$.status', CASE ${cases.join(" ")} ELSE 200 END) FROM number`,
  );
  const tries = db.query(
    `${numbers} INSERT INTO attempt (decision_id, position, at, record)
     SELECT printf('01900000-%012d', n), 0, :base + n * :step, json_set(:record, '$.target', ${target}) FROM number`,
  );
  const findings = db.query(
    `${numbers} INSERT INTO verification
       (at, decision_id, n, instance, target, kind, verdict, signature, model_attributable, trips)
     SELECT :base + n * :step, printf('01900000-%012d', n), 1, printf('box-%d', n % :instances), ${target},
       'structural', CASE n % 3 WHEN 0 THEN 'empty' ELSE 'ok' END, 'empty_200', n % 2, 0
     FROM number WHERE n % ${verdicts} = 0`,
  );
  for (let first = 0; first < rows; first += BLOCK) {
    const span = { first, last: Math.min(first + BLOCK, rows) - 1 };
    db.transaction(() => {
      decisions.run({ ...shared, ...span, record: JSON.stringify(record) });
      tries.run({ ...shared, ...span, record: JSON.stringify(attempts[0]) });
      findings.run({ ...shared, ...span });
    })();
  }
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
}
