import type { Database } from "bun:sqlite";

import { StoreError } from "../store-error.ts";
import type { DecisionFilter, Page } from "../store.ts";
import { type DecisionPosition, formatCursor, parseCursor } from "./cursor.ts";
import { findPositions } from "./decision-list.ts";

type Bindings = Record<string, string | number | null>;

/** A decision as stored: JSON text of a `Decision`, attempts included. */
type DecisionJson = string;

export interface DecisionTable {
  /** Replaces the row of the same id; within a transaction. Throws if the JSON is not a decision. */
  write(decision: DecisionJson): void;
  get(id: string): DecisionJson | null;
  list(filter: DecisionFilter): Page<DecisionJson>;
  /** The row written last; every later one comes behind it. */
  lastRow(): number;
  /** Instant of the oldest, epoch ms; null if there is none. */
  oldest(): number | null;
  /** Ends decisions up to and with `row`, whose process is gone; returns how many. */
  interruptUnfinished(row: number): number;
  /** Deletes up to `limit` decisions older than `before`, oldest first; returns how many. */
  deleteOldest(limit: number, before: number): number;
}

// A field that is added to `Decision` is put into the older records here, unless it has to be searched.
const WHOLE_RECORD = `json_set(json_insert(decision.record, '$.plan.notes', json('[]')), '$.attempts', json((
  SELECT json_group_array(json(one.record)) FROM (
    SELECT record FROM attempt WHERE decision_id = decision.id ORDER BY position
  ) AS one
))) AS record`;

export function createDecisionTable(db: Database): DecisionTable {
  const write = decisionWriter(db);
  const get = db.query<{ record: string }, Bindings>(
    `SELECT ${WHOLE_RECORD} FROM decision WHERE id = :id`,
  );
  // The plus keeps SQLite from reading all rows up to `row`: those in progress have an index of their own.
  const interrupt = db.query<null, Bindings>(
    `UPDATE decision SET record = json_set(record, '$.outcome', 'interrupted')
     WHERE outcome = 'in_progress' AND +rowid <= :row`,
  );
  const last = db.query<{ row: number }, []>("SELECT ifnull(max(rowid), 0) AS row FROM decision");
  const oldest = db.query<{ at: number | null }, []>("SELECT min(at) AS at FROM decision");
  const deleteOldest = db.query<null, Bindings>(
    `DELETE FROM decision WHERE rowid IN (
       SELECT rowid FROM decision WHERE at < :before ORDER BY at, id LIMIT :limit
     )`,
  );
  return {
    write,
    get: (id) => get.get({ id })?.record ?? null,
    list(filter) {
      const { found, next } = findPositions(db, filter, positionOf(filter.cursor));
      const records = found.flatMap(({ id }) => get.get({ id })?.record ?? []);
      return { items: records, next: next && formatCursor(next) };
    },
    oldest: () => oldest.get()?.at ?? null,
    lastRow: () => last.get()?.row ?? 0,
    interruptUnfinished: (row) => interrupt.run({ row }).changes,
    deleteOldest: (limit, before) => {
      // `changes` also counts the attempts that go with them, so the rows are counted by themselves.
      deleteOldest.run({ limit, before });
      return db.query<{ n: number }, []>("SELECT changes() AS n").get()?.n ?? 0;
    },
  };
}

function decisionWriter(db: Database): (decision: DecisionJson) => void {
  const put = db.query<null, Bindings>(
    `INSERT INTO decision (id, at, record)
     VALUES (:decision ->> '$.id', :decision ->> '$.at', json_remove(:decision, '$.attempts'))
     ON CONFLICT (id) DO NOTHING`,
  );
  const replace = db.query<null, Bindings>(
    `UPDATE decision SET at = :decision ->> '$.at', record = json_remove(:decision, '$.attempts')
     WHERE id = :decision ->> '$.id'`,
  );
  const clear = db.query<null, Bindings>(
    "DELETE FROM attempt WHERE decision_id = :decision ->> '$.id'",
  );
  const putAttempts = db.query<null, Bindings>(
    `INSERT INTO attempt (decision_id, position, at, record)
     SELECT :decision ->> '$.id', key, :decision ->> '$.at', value
     FROM json_each(:decision, '$.attempts')`,
  );
  return (decision) => {
    // Only a decision that took its time is there already, as it was before its end.
    if (put.run({ decision }).changes === 0) {
      replace.run({ decision });
      clear.run({ decision });
    }
    putAttempts.run({ decision });
  };
}

/** Null for the beginning. Throws `StoreError` for text that no page gave out. */
function positionOf(cursor: string | undefined): DecisionPosition | null {
  if (cursor === undefined) return null;
  const position = parseCursor(cursor);
  if (position === undefined) throw badCursor();
  return position;
}

export function badCursor(): StoreError {
  return new StoreError(
    "bad_cursor",
    "`cursor` is none that a page gave out. Leave it out to start from the first page.",
  );
}
