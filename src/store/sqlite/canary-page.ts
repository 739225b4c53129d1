import type { Database } from "bun:sqlite";

import type { Page } from "../store.ts";
import { badCursor } from "./decisions.ts";

type Bindings = Record<string, string | number | null>;

export interface Listing<Row, Item> {
  readonly table: "canary_round" | "canary_probe" | "suspension";
  /** The column that counts rows up. */
  readonly order: "id" | "n";
  readonly columns: string;
  readonly read: (row: Row) => Item;
}

export interface Asked {
  readonly limit: number;
  readonly cursor?: string;
  /** By column, each of which has an index; those without a value restrict nothing. */
  readonly filter: Readonly<Record<string, string | undefined>>;
}

/** Rows that a page looks at, at most, where no index answers the whole filter: some tens of milliseconds. */
const WALK_ROWS = 20_000;

/**
 * Newest first; columns are of our own naming, values are bound. Of several filters the one whose index reaches
 * furthest back within `walk_rows` rows is followed; a page that has seen as many ends there, even empty, and its
 * cursor goes on.
 */
export function page<Row extends object, Item>(
  db: Database,
  listing: Listing<Row, Item>,
  { limit, cursor, filter }: Asked,
  walk_rows = WALK_ROWS,
): Page<Item> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor();
  const { table, order, columns, read } = listing;
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  const given = Object.entries(filter).flatMap(([column, value]): Given[] =>
    value === undefined ? [] : [{ column, value }],
  );
  const { indexed, end } = bestIndex(db, listing, { given, before, skip: walk_rows - 1 });
  // A plus keeps SQLite from the index over that column.
  const conditions = given.map(({ column }) =>
    column === indexed ? `${column} = :${column}` : `+${column} = :${column}`,
  );
  using query = db.prepare<Row & { readonly row_n: number }, Bindings>(
    `SELECT ${order} AS row_n, ${columns} FROM ${table}
     WHERE ${[`${order} < :before`, `${order} >= :end`, ...conditions].join(" AND ")}
     ORDER BY ${order} DESC LIMIT :rows`,
  );
  const values = Object.fromEntries(given.map(({ column, value }) => [column, value]));
  const rows = query.all({ ...values, before, end, rows: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const next = rows.length > limit && last !== undefined ? last.row_n : end;
  return { items: shown.map((row) => read(row)), next: next === 0 ? null : String(next) };
}

interface Given {
  readonly column: string;
  readonly value: string;
}

interface Span {
  readonly given: readonly Given[];
  readonly before: number;
  readonly skip: number;
}

interface IndexPart {
  /** Undefined for the order of the rows themselves. */
  readonly indexed: string | undefined;
  /** The last row to be looked at; 0 if all can be. */
  readonly end: number;
}

type Place = Pick<Listing<never, never>, "table" | "order">;

function bestIndex(db: Database, { table, order }: Place, { given, ...span }: Span): IndexPart {
  const [first, ...others] = given.map(({ column, value }): IndexPart => {
    // What a single index answers needs no end.
    if (given.length === 1) return { indexed: column, end: 0 };
    using query = db.prepare<{ row_n: number }, Bindings>(
      `SELECT ${order} AS row_n FROM ${table} WHERE ${column} = :value AND ${order} < :before
       ORDER BY ${order} DESC LIMIT 1 OFFSET :skip`,
    );
    return { indexed: column, end: query.get({ ...span, value })?.row_n ?? 0 };
  });
  if (first === undefined) return { indexed: undefined, end: 0 };
  return others.reduce((best, other) => (other.end < best.end ? other : best), first);
}
