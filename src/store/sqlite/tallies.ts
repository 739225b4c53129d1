import type { Database } from "bun:sqlite";

import type { Mute } from "../../health/trips/mutes.ts";
import type { StoredTally } from "../store.ts";
import { durably } from "./database.ts";

/** A baseline reaches back a day; one that was not written for two is of no use to anyone. */
const STALE_MS = 48 * 3_600_000;

export function listTallies(db: Database): StoredTally[] {
  return db
    .query<StoredTally, []>("SELECT subject, scope, saved_at, record FROM tally ORDER BY saved_at")
    .all();
}

/** Writes or replaces the tallies of these subjects, and forgets those long out of use. */
export function saveTallies(db: Database, tallies: readonly StoredTally[]): void {
  db.transaction(() => {
    const put = db.query(
      `INSERT OR REPLACE INTO tally (subject, scope, saved_at, record)
       VALUES (:subject, :scope, :saved_at, :record)`,
    );
    for (const { subject, scope, saved_at, record } of tallies) {
      put.run({ subject, scope, saved_at, record });
    }
    const [newest] = tallies;
    if (newest === undefined) return;
    db.query("DELETE FROM tally WHERE saved_at < :before").run({
      before: newest.saved_at - STALE_MS,
    });
  }).immediate();
}

const MUTE_COLUMNS = "id, scope, subject, signature, reason, created_at, until_at";

/** In the order they were made. */
export function listMutes(db: Database): Mute[] {
  return db.query<Mute, []>(`SELECT ${MUTE_COLUMNS} FROM mute ORDER BY created_at, id`).all();
}

/** Replaces a mute of the same subject and signature, and forgets those that ended before it. */
export function addMute(db: Database, mute: Mute): void {
  const { id, scope, subject, signature, reason, created_at, until_at } = mute;
  durably(db, () => {
    db.query(
      `DELETE FROM mute
       WHERE (subject = :subject AND signature IS :signature) OR until_at <= :created_at`,
    ).run({ subject, signature, created_at });
    db.query(
      `INSERT INTO mute (${MUTE_COLUMNS})
       VALUES (:id, :scope, :subject, :signature, :reason, :created_at, :until_at)`,
    ).run({ id, scope, subject, signature, reason, created_at, until_at });
  });
}

/** False if there is none with this id. */
export function removeMute(db: Database, id: string): boolean {
  return durably(db, () => db.query("DELETE FROM mute WHERE id = :id").run({ id }).changes > 0);
}
