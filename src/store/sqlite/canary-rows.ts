import type { Database } from "bun:sqlite";

import type { CanaryRoundRow, SuspensionRow } from "../../canary/rows.ts";
import type { ProbeFilter, RoundFilter, StoredProbe, SuspensionFilter } from "../canary-store.ts";
import type { Page } from "../store.ts";
import { badCursor } from "./decisions.ts";

type Bindings = Record<string, string | number | null>;

export const PROBE_COLUMNS =
  "round_id, role, endpoint, instance, contract, locale, attempt, at, result, reason, detected, ttft_ms, duration_ms, input_tokens, output_tokens, charged_tokens, charged_usd";
export const SUSPENSION_COLUMNS =
  "id, kind, endpoint, instance, model, host, at, round_id, until_at, level, detail, is_news, forgives";

export type SuspensionRecord = Omit<SuspensionRow, "is_news" | "forgives"> & {
  readonly is_news: 0 | 1;
  readonly forgives: 0 | 1;
  readonly row_n?: number;
};

export function toSuspension(record: SuspensionRecord): SuspensionRow {
  const { row_n: _n, is_news, forgives, ...rest } = record;
  return { ...rest, is_news: is_news === 1, forgives: forgives === 1 };
}

/** What comes out is what was put in. */
export const toRound = ({ record }: { readonly record: string }): CanaryRoundRow =>
  JSON.parse(record);

interface Listing<Row, Item> {
  readonly table: "canary_round" | "canary_probe" | "suspension";
  /** The column that counts rows up. */
  readonly order: "id" | "n";
  readonly columns: string;
  readonly read: (row: Row) => Item;
}

interface Asked {
  readonly limit: number;
  readonly cursor?: string;
  /** By column; those without a value restrict nothing. */
  readonly filter: Readonly<Record<string, string | undefined>>;
}

/** Newest first; columns are of our own naming, values are bound. */
function page<Row extends object, Item>(
  db: Database,
  { table, order, columns, read }: Listing<Row, Item>,
  { limit, cursor, filter }: Asked,
): Page<Item> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor();
  const given = Object.entries(filter).flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const],
  );
  const conditions = [`${order} < :before`, ...given.map(([column]) => `${column} = :${column}`)];
  using query = db.prepare<Row & { readonly row_n: number }, Bindings>(
    `SELECT ${order} AS row_n, ${columns} FROM ${table}
     WHERE ${conditions.join(" AND ")} ORDER BY ${order} DESC LIMIT :rows`,
  );
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  const rows = query.all({ ...Object.fromEntries(given), before, rows: limit + 1 });
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map((row) => read(row)),
    next: rows.length > limit && last ? String(last.row_n) : null,
  };
}

export function listRounds(db: Database, asked: RoundFilter): Page<CanaryRoundRow> {
  const { round_id, endpoint, result } = asked;
  const listing = { table: "canary_round", order: "id", columns: "record", read: toRound } as const;
  return page(db, listing, { ...asked, filter: { round_id, endpoint, result } });
}

export function listProbes(db: Database, asked: ProbeFilter): Page<StoredProbe> {
  const { round_id, endpoint, result, contract } = asked;
  return page(
    db,
    { table: "canary_probe", order: "id", columns: PROBE_COLUMNS, read: toProbe },
    { ...asked, filter: { round_id, endpoint, result, contract } },
  );
}

/** A question without a locale has an empty one in the table, where null would not be unique. */
function toProbe(row: StoredProbe & { readonly row_n?: number }): StoredProbe {
  const { row_n: _n, ...probe } = row;
  return { ...probe, locale: probe.locale === "" ? null : probe.locale };
}

export function listSuspensions(db: Database, asked: SuspensionFilter): Page<SuspensionRow> {
  const { endpoint, kind } = asked;
  return page(
    db,
    { table: "suspension", order: "n", columns: SUSPENSION_COLUMNS, read: toSuspension },
    { ...asked, filter: { endpoint, kind } },
  );
}
