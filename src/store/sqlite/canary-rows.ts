import type { Database } from "bun:sqlite";

import type { CanaryRoundRow, SuspensionRow } from "../../canary/rows.ts";
import type { ProbeFilter, RoundFilter, StoredProbe, SuspensionFilter } from "../canary-store.ts";
import type { Page } from "../store.ts";
import { page } from "./canary-page.ts";

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
