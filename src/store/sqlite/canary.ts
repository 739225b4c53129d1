import type { Database } from "bun:sqlite";

import type { LiveTally } from "../../canary/observe-report.ts";
import type { CanaryRoundRow, SuspensionRow } from "../../canary/rows.ts";
import type {
  CanaryEvents,
  LoadedCanary,
  ObservedRows,
  ProbeCharge,
  SavedCanary,
  StoredProbe,
} from "../canary-store.ts";
import type { AuditEntry } from "../store.ts";
import {
  PROBE_COLUMNS,
  SUSPENSION_COLUMNS,
  type SuspensionRecord,
  toRound,
  toSuspension,
} from "./canary-rows.ts";
import { durably } from "./database.ts";
import { writeAudit } from "./settings.ts";

/** Everything that a start of the canary needs. */
export function loadCanary(db: Database, { charges_since, form }: LoadedCanary): SavedCanary {
  const kept = db
    .query<{ round_n: number; record: string }, { form: number }>(
      "SELECT round_n, record FROM canary_fleet WHERE record ->> '$.form' = :form",
    )
    .get({ form });
  const after = { after: kept?.round_n ?? 0 };
  const rounds = db
    .query<{ record: string }, { after: number }>(
      "SELECT record FROM canary_round WHERE round_n > :after ORDER BY id",
    )
    .all(after)
    .map(toRound);
  const charges = db
    .query<ProbeCharge, { since: number }>(
      "SELECT instance, at, charged_tokens, charged_usd FROM canary_probe WHERE at >= :since",
    )
    .all({ since: charges_since });
  return {
    fleet: kept?.record ?? null,
    rounds,
    lifts: suspensions(db, "kind = 'operator_lift'"),
    untold: suspensions(db, "is_news = 1 AND told_at IS NULL"),
    charges,
  };
}

function suspensions(db: Database, condition: string) {
  return db
    .query<SuspensionRecord, []>(
      `SELECT ${SUSPENSION_COLUMNS} FROM suspension WHERE ${condition} ORDER BY n`,
    )
    .all()
    .map(toSuspension);
}

/** Puts a probe down, or what became of it in its place. */
export function saveProbe(db: Database, { locale, ...probe }: StoredProbe): void {
  const names = PROBE_COLUMNS.split(", ");
  db.query(
    `INSERT INTO canary_probe (${PROBE_COLUMNS}) VALUES (${names.map((name) => `:${name}`).join(", ")})
     ON CONFLICT (round_id, role, endpoint, contract, locale, attempt) DO UPDATE SET
       result = excluded.result, reason = excluded.reason, detected = excluded.detected,
       ttft_ms = excluded.ttft_ms, duration_ms = excluded.duration_ms,
       input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
       charged_tokens = excluded.charged_tokens, charged_usd = excluded.charged_usd`,
  ).run({ ...probe, locale: locale ?? "" });
}

/** All rows of a round or none; a round that is there already stays as it is. */
export function saveRound(db: Database, rows: readonly CanaryRoundRow[]): void {
  durably(db, () => {
    const put = db.query(
      `INSERT OR IGNORE INTO canary_round (round_id, role, endpoint, round_n, ended_at, result, record)
       VALUES (:round_id, :role, :endpoint, :round_n, :ended_at, :result, :record)`,
    );
    for (const row of rows) {
      const { round_id, role, endpoint, round_n, ended_at, result } = row;
      const record = JSON.stringify(row);
      put.run({ round_id, role, endpoint, round_n, ended_at, result, record });
    }
  });
}

/** What followed, and the state that it led to, together. */
export function saveEvents(db: Database, { events, audit = [], fleet }: CanaryEvents): void {
  durably(db, () => {
    const put = db.query(
      `INSERT OR IGNORE INTO suspension (${SUSPENSION_COLUMNS})
       VALUES (:id, :kind, :endpoint, :instance, :model, :host, :at, :round_id, :until_at, :level,
         :detail, :is_news, :forgives)`,
    );
    for (const event of events) {
      const { is_news, forgives } = event;
      const row = { ...event, is_news: is_news ? 1 : 0, forgives: forgives ? 1 : 0 };
      if (put.run(row).changes > 0) writeAudit(db, auditOf(event));
    }
    for (const entry of audit) writeAudit(db, entry);
    if (fleet === null) return;
    db.query(
      `INSERT INTO canary_fleet (id, round_n, record) VALUES (1, :round_n, :record)
       ON CONFLICT (id) DO UPDATE SET round_n = excluded.round_n, record = excluded.record
       WHERE excluded.round_n >= canary_fleet.round_n`,
    ).run({ ...fleet });
  });
}

function auditOf({ kind, endpoint, at, detail }: SuspensionRow): AuditEntry {
  return { at, actor: "canary", action: `canary.${kind}`, subject: endpoint, detail };
}

export function noteTold(
  db: Database,
  { ids, at }: { readonly ids: readonly string[]; readonly at: number },
): void {
  db.transaction(() => {
    const note = db.query("UPDATE suspension SET told_at = :at WHERE id = :id");
    for (const id of ids) note.run({ id, at });
  }).immediate();
}

const DAY_MS = 86_400_000;
/** More cannot be looked through by anybody. */
const MAX_OBSERVED = 1000;

export function observedSuspensions(db: Database, since: number): ObservedRows {
  const observed = db
    .query<SuspensionRecord, { since: number; rows: number }>(
      `SELECT ${SUSPENSION_COLUMNS} FROM suspension
       WHERE kind = 'would_suspend' AND at >= :since ORDER BY n DESC LIMIT :rows`,
    )
    .all({ since, rows: MAX_OBSERVED })
    .map(toSuspension);
  const rounds = db
    .query<{ record: string }, { since: number; day: number }>(
      `SELECT DISTINCT canary_round.record AS record FROM suspension
       JOIN canary_round ON canary_round.endpoint = suspension.endpoint
       WHERE suspension.kind = 'would_suspend' AND suspension.at >= :since
         AND canary_round.role = 'watched'
         AND canary_round.ended_at > suspension.at
         AND canary_round.ended_at <= suspension.at + :day`,
    )
    .all({ since, day: DAY_MS })
    .map(toRound);
  // Hosts of one target that went in the same round have one stretch.
  const stretches = new Map(
    observed.map((row) => [JSON.stringify(stretchOf(row)), stretchOf(row)]),
  );
  const live = [...stretches.values()].flatMap((stretch) => talliesOf(db, stretch));
  return { rounds, suspensions: observed, live, endpoints: watchedEndpoints(db) };
}

/** In order. From each endpoint to the next along the index, since there are few of them in many rows. */
function watchedEndpoints(db: Database): readonly string[] {
  return db
    .query<{ endpoint: string }, []>(
      `WITH RECURSIVE seen (endpoint) AS (
         SELECT min(endpoint) FROM canary_round
         UNION ALL
         SELECT (SELECT min(endpoint) FROM canary_round WHERE endpoint > seen.endpoint)
         FROM seen WHERE seen.endpoint IS NOT NULL
       )
       SELECT endpoint FROM seen WHERE EXISTS (
         SELECT 1 FROM canary_round WHERE endpoint = seen.endpoint AND role = 'watched'
       )`,
    )
    .all()
    .map(({ endpoint }) => endpoint);
}

interface Stretch {
  readonly target: string;
  readonly from: number;
  readonly to: number;
}

/** The day after a suspension that was none, or for as long as it would have lasted. */
function stretchOf(row: ObservedRows["suspensions"][number]): Stretch {
  const { endpoint, host, at: from, until_at } = row;
  const target = host === null ? endpoint : endpoint.slice(0, -`@${host}`.length);
  return { target, from, to: Math.min(from + DAY_MS, until_at ?? from) };
}

/** Live answers of a target, by who gave them. */
function talliesOf(db: Database, stretch: Stretch): readonly LiveTally[] {
  return db
    .query<LiveTally, { target: string; from: number; to: number }>(
      `SELECT endpoint, :from AS "from", :to AS "to",
         sum(is_ok AND NOT is_bad) AS good, sum(is_bad) AS bad
       FROM (
         SELECT ifnull(record ->> '$.endpoint', target) AS endpoint,
           ifnull(record ->> '$.verification.trips', 0) AS is_bad, record ->> '$.kind' = 'ok' AS is_ok
         FROM attempt WHERE target = :target AND at >= :from AND at < :to
       ) GROUP BY endpoint ORDER BY endpoint`,
    )
    .all({ ...stretch });
}

/** Some tens of milliseconds; a round adds fewer, so that what an idle month left goes within days. */
const PRUNED_ROWS = 5000;

/** The oldest first and so many of each. Rounds that the kept state does not hold yet stay, however old they are. */
export function pruneCanary(db: Database, before: number, rows = PRUNED_ROWS): void {
  const prune = (table: string, order: string, condition: string) =>
    db
      .query(
        `DELETE FROM ${table} WHERE ${order} IN (
           SELECT ${order} FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT :rows
         )`,
      )
      .run({ before, rows });
  db.transaction(() => {
    const isKept = "round_n <= (SELECT ifnull(max(round_n), 0) FROM canary_fleet)";
    prune("canary_round", "id", `ended_at < :before AND ${isKept}`);
    prune("canary_probe", "id", "at < :before");
    prune("suspension", "n", "kind IN ('appeared', 'vanished') AND at < :before");
  }).immediate();
}
