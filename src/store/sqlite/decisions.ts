import type { Database } from "bun:sqlite";

import { StoreError } from "../store-error.ts";
import type { DecisionFilter, Page } from "../store.ts";
import { formatCursor, parseCursor } from "./cursor.ts";

type Bindings = Record<string, string | number | null>;
type Row = { id: string; at: number; record: string };

/** A decision as stored: JSON text of a `Decision`, attempts included. */
type DecisionJson = string;

export interface DecisionTable {
  /** Replaces the row of the same id. Throws if the JSON is not a decision. */
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

// A field that is added to `Decision` needs a migration that puts it into the records at hand.
const WHOLE_RECORD = `json_set(decision.record, '$.attempts', json((
  SELECT json_group_array(json(one.record)) FROM (
    SELECT record FROM attempt WHERE decision_id = decision.id ORDER BY position
  ) AS one
))) AS record`;

export function createDecisionTable(db: Database): DecisionTable {
  const write = decisionWriter(db);
  const get = db.query<Row, Bindings>(
    `SELECT id, at, ${WHOLE_RECORD} FROM decision WHERE id = :id`,
  );
  const interrupt = db.query<null, Bindings>(
    `UPDATE decision SET record = json_set(record, '$.outcome', 'interrupted')
     WHERE outcome = 'in_progress' AND rowid <= :row`,
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
    list: (filter) => list(db, filter),
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
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, record = excluded.record`,
  );
  const clear = db.query<null, Bindings>(
    "DELETE FROM attempt WHERE decision_id = :decision ->> '$.id'",
  );
  const putAttempts = db.query<null, Bindings>(
    `INSERT INTO attempt (decision_id, position, at, record)
     SELECT :decision ->> '$.id', key, :decision ->> '$.at', value
     FROM json_each(:decision, '$.attempts')`,
  );
  return db.transaction((decision: DecisionJson) => {
    put.run({ decision });
    clear.run({ decision });
    putAttempts.run({ decision });
  });
}

function list(db: Database, filter: DecisionFilter): Page<DecisionJson> {
  const { sql, bindings } = listQuery(filter);
  using query = db.prepare<Row, Bindings>(sql);
  const rows = query.all(bindings);
  const items = rows.slice(0, filter.limit);
  const last = items.at(-1);
  const more = rows.length > filter.limit && last !== undefined;
  return { items: items.map((row) => row.record), next: more ? formatCursor(last) : null };
}

/** An index that finds candidates in the order of the list: its table and the rows it picks. */
interface Driver {
  readonly from: "decision" | "attempt";
  readonly where: string;
}

/**
 * One index walk per way a row can match, each stopping at the limit, and their union: the cost of
 * a page does not grow with the history, however rare the matches.
 */
function listQuery(filter: DecisionFilter): { sql: string; bindings: Bindings } {
  const { conditions, bindings } = restrictions(filter);
  const walks = drivers(filter, bindings).map(({ from, where }) => {
    const id = from === "attempt" ? "attempt.decision_id" : "decision.id";
    const join = from === "attempt" ? "JOIN decision ON decision.id = attempt.decision_id" : "";
    const all = [
      where,
      ...conditions.map((one) => one.replaceAll("$id", id).replaceAll("$from", from)),
    ];
    return `SELECT * FROM (SELECT DISTINCT ${id} AS id, ${from}.at AS at FROM ${from} ${join}
      WHERE ${all.join(" AND ")} ORDER BY ${from}.at DESC, ${id} DESC LIMIT :rows)`;
  });
  return {
    sql: `SELECT decision.id, decision.at, ${WHOLE_RECORD}
      FROM (${walks.join(" UNION ")}) AS found JOIN decision ON decision.id = found.id
      ORDER BY found.at DESC, found.id DESC LIMIT :rows`,
    bindings: { ...bindings, rows: filter.limit + 1 },
  };
}

function drivers(filter: DecisionFilter, bindings: Bindings): Driver[] {
  const { model, target, status } = filter;
  if (model !== undefined) {
    bindings["model"] = model;
    const ways = ["decision.asked = :model", "decision.served_model = :model"];
    const colon = model.indexOf(":");
    if (colon >= 0) {
      // A whole target key; its model half is what the index knows.
      bindings["tail"] = model.slice(colon + 1);
      ways.push("decision.served_model = :tail AND decision.served = :model");
    }
    return ways.map((where) => ({ from: "decision", where }));
  }
  if (target !== undefined) return [{ from: "attempt", where: "attempt.target = :target" }];
  if (status !== undefined) return [{ from: "decision", where: "decision.status = :status" }];
  return [{ from: "decision", where: "TRUE" }];
}

/** Conditions that every walk adds; `$from` and `$id` stand for its table and its id column. */
function restrictions(filter: DecisionFilter): { conditions: string[]; bindings: Bindings } {
  const conditions: string[] = [];
  const bindings: Bindings = {};
  const add = (condition: string, values: Bindings) => {
    conditions.push(condition);
    Object.assign(bindings, values);
  };
  if (filter.target !== undefined) {
    add("EXISTS (SELECT 1 FROM attempt WHERE decision_id = $id AND attempt.target = :target)", {
      target: filter.target,
    });
  }
  if (filter.status !== undefined) add("decision.status = :status", { status: filter.status });
  if (filter.from !== undefined) add("$from.at >= :from", { from: filter.from });
  if (filter.to !== undefined) add("$from.at < :to", { to: filter.to });
  if (filter.cursor !== undefined) {
    const position = parseCursor(filter.cursor);
    if (position === undefined) throw badCursor();
    add("($from.at, $id) < (:cursor_at, :cursor_id)", {
      cursor_at: position.at,
      cursor_id: position.id,
    });
  }
  return { conditions, bindings };
}

export function badCursor(): StoreError {
  return new StoreError(
    "bad_cursor",
    "`cursor` is none that a page gave out. Leave it out to start from the first page.",
  );
}
