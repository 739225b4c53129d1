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

/** Rows that a page looks at, at most, where no index answers the whole filter: a tenth of a second. */
const WALK_ROWS = 300_000;

/**
 * Newest first. The cursor is the number of the last row. Of several filters the one whose index reaches furthest back
 * within `walk_rows` rows is followed; a page that has seen as many ends there, even empty, and its cursor goes on.
 */
export function listVerifications(
  db: Database,
  filter: VerificationFilter,
  walk_rows = WALK_ROWS,
): Page<StoredVerification> {
  const { limit, cursor } = filter;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor();
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  const { column, end } = bestIndex(db, filter, { before, skip: walk_rows - 1 });
  const { conditions, bindings } = restrictions(filter, column);
  using query = db.prepare<Row, Bindings>(
    `SELECT id, ${COLUMNS} FROM verification
     WHERE ${["id < :before", "id >= :end", ...conditions].join(" AND ")}
     ORDER BY id DESC LIMIT :rows`,
  );
  const rows = query.all({ ...bindings, before, end, rows: limit + 1 });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? last.id : end;
  return { items: items.map((row) => fromRow(row)), next: next === 0 ? null : String(next) };
}

interface IndexPart {
  /** Undefined for the order of the rows themselves. */
  readonly column: (typeof EXACT)[number] | undefined;
  /** The last row to be looked at; 0 if all can be. */
  readonly end: number;
}

interface WalkSpan {
  readonly before: number;
  readonly skip: number;
}

function bestIndex(db: Database, filter: VerificationFilter, span: WalkSpan): IndexPart {
  const columns = EXACT.filter((column) => filter[column] !== undefined);
  const { model_attributable, from, to } = filter;
  const isAnswered = columns.length < 2 && (model_attributable ?? from ?? to) === undefined;
  if (isAnswered) return { column: columns[0], end: 0 };
  const [first, ...others] = columns.map((column) => {
    const bindings = { ...span, value: filter[column] ?? null };
    return { column, end: endOf(db, `${column} = :value`, bindings) };
  });
  if (first === undefined) return { column: undefined, end: endByNumber(db, span) };
  return others.reduce((best, other) => (other.end < best.end ? other : best), first);
}

/** The row `skip` rows behind the first before `before`; 0 if there is none. */
function endOf(db: Database, where: string, bindings: Bindings): number {
  using query = db.prepare<{ id: number }, Bindings>(
    `SELECT id FROM verification WHERE ${where} AND id < :before
     ORDER BY id DESC LIMIT 1 OFFSET :skip`,
  );
  return query.get(bindings)?.id ?? 0;
}

/** As `endOf` for all rows, by their numbers, which have no gaps to speak of. */
function endByNumber(db: Database, { before, skip }: WalkSpan): number {
  const ends = db.query<{ newest: number | null; oldest: number | null }, { before: number }>(
    `SELECT (SELECT max(id) FROM verification WHERE id < :before) AS newest,
       (SELECT min(id) FROM verification) AS oldest`,
  );
  const { newest, oldest } = ends.get({ before }) ?? { newest: null, oldest: null };
  const end = (newest ?? 0) - skip;
  return end > (oldest ?? 0) ? end : 0;
}

function fromRow(row: Row): StoredVerification {
  const { at, decision_id, n, instance, target, kind, verdict, signature, detail } = row;
  const { model_attributable, scope, applied_at } = row;
  const about = { at, decision_id, n, instance, target, kind, verdict, signature, detail };
  return { ...about, model_attributable, trips: row.trips === 1, scope, applied_at };
}

const EXACT = ["decision_id", "instance", "target", "verdict", "signature"] as const;

/** Pluses keep SQLite from every index but the one over `indexed`. */
function restrictions(
  filter: VerificationFilter,
  indexed: IndexPart["column"],
): { conditions: string[]; bindings: Bindings } {
  const conditions: string[] = [];
  const bindings: Bindings = {};
  for (const column of EXACT) {
    const value = filter[column];
    if (value === undefined) continue;
    conditions.push(`${column === indexed ? "" : "+"}${column} = :${column}`);
    bindings[column] = value;
  }
  const { model_attributable, from, to } = filter;
  if (model_attributable !== undefined) {
    conditions.push("model_attributable = :model_attributable");
    bindings["model_attributable"] = model_attributable;
  }
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
