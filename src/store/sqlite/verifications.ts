import type { Database } from "bun:sqlite";

import type { MangledCount, Page, StoredVerification, VerificationFilter } from "../store.ts";
import { badCursor } from "./decisions.ts";

type Bindings = Record<string, string | number | null>;

const COLUMNS =
  "at, decision_id, n, instance, target, kind, verdict, signature, detail, model_attributable, trips, scope, applied_at";

export function writeVerification(db: Database, row: StoredVerification): void {
  const { trips, ...rest } = row;
  db.query(
    `INSERT INTO verification (${COLUMNS})
     VALUES (:at, :decision_id, :n, :instance, :target, :kind, :verdict, :signature, :detail,
       :model_attributable, :trips, :scope, :applied_at)`,
  ).run({ ...rest, trips: trips ? 1 : 0 });
}

type Row = Omit<StoredVerification, "trips"> & { id: number; trips: 0 | 1 };

/** Newest first. The cursor is the number of the last row. */
export function listVerifications(
  db: Database,
  filter: VerificationFilter,
): Page<StoredVerification> {
  const { limit, cursor } = filter;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor();
  const { conditions, bindings } = restrictions(filter);
  using query = db.prepare<Row, Bindings>(
    `SELECT id, ${COLUMNS} FROM verification
     WHERE ${["id < :before", ...conditions].join(" AND ")} ORDER BY id DESC LIMIT :rows`,
  );
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  const rows = query.all({ ...bindings, before, rows: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map((row) => fromRow(row)),
    next: rows.length > limit && last !== undefined ? String(last.id) : null,
  };
}

function fromRow(row: Row): StoredVerification {
  const { at, decision_id, n, instance, target, kind, verdict, signature, detail } = row;
  const { model_attributable, scope, applied_at } = row;
  const about = { at, decision_id, n, instance, target, kind, verdict, signature, detail };
  return { ...about, model_attributable, trips: row.trips === 1, scope, applied_at };
}

const EXACT = ["decision_id", "instance", "target", "verdict", "signature"] as const;

function restrictions(filter: VerificationFilter): { conditions: string[]; bindings: Bindings } {
  const conditions: string[] = [];
  const bindings: Bindings = {};
  for (const column of EXACT) {
    const value = filter[column];
    if (value === undefined) continue;
    conditions.push(`${column} = :${column}`);
    bindings[column] = value;
  }
  const { model_attributable, from, to } = filter;
  if (model_attributable !== undefined) {
    conditions.push("model_attributable = :model_attributable");
    bindings["model_attributable"] = model_attributable;
  }
  // The pluses keep SQLite from the index over time, whose rows it would have to sort by number.
  if (from !== undefined) {
    conditions.push("+at >= :from");
    bindings["from"] = from;
  }
  if (to !== undefined) {
    conditions.push("+at < :to");
    bindings["to"] = to;
  }
  return { conditions, bindings };
}

/** Deletes up to `limit` rows older than `before`; returns how many. */
export function deleteOldVerifications(db: Database, limit: number, before: number): number {
  return db
    .query(
      `DELETE FROM verification WHERE id IN (
         SELECT id FROM verification WHERE at < :before ORDER BY at LIMIT :limit
       )`,
    )
    .run({ limit, before }).changes;
}

/** Attributable verdicts `mangled` of each instance since an instant, by hour since the epoch. */
export function countMangled(db: Database, since: number): MangledCount[] {
  // A start waits for it, and must not read all such verdicts of the history.
  return db
    .query<MangledCount, { since: number }>(
      `SELECT instance, at / 3600000 AS hour, count(*) AS count
       FROM verification INDEXED BY verification_by_time
       WHERE verdict = 'mangled' AND model_attributable = 1 AND at >= :since
       GROUP BY instance, hour ORDER BY hour`,
    )
    .all({ since });
}
