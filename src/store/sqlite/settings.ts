import type { Database } from "bun:sqlite";

import { areKeysLost, noteKeys } from "../key-marker.ts";
import type { AuditEntry, KeyScope, Page, StoredKey, StoredState } from "../store.ts";
import { durably } from "./database.ts";
import { badCursor } from "./decisions.ts";
import { listExclusions, listTrips } from "./health.ts";
import { readPreferences } from "./preferences.ts";
import { listMutes } from "./tallies.ts";

/** Entries that are kept; a script that changes keys in a loop must not fill the disk. */
const AUDIT_ROWS = 100_000;

type KeyRow = {
  id: string;
  name: string;
  scope: KeyScope;
  hash: string;
  prefix: string;
  created_at: number;
  revoked_at: number | null;
  profile: string | null;
};

/** The first version that keeps profiles, those of keys included. */
export const PROFILES_SINCE = 3;

const KEY_COLUMNS = "id, name, scope, hash, prefix, created_at, revoked_at, profile";

export function listKeys(db: Database): StoredKey[] {
  return db.query<KeyRow, []>(`SELECT ${KEY_COLUMNS} FROM api_key ORDER BY created_at, id`).all();
}

/** The keys in a database of `version`, which may be older than ours. */
export function readKeys(db: Database, version: number): StoredKey[] {
  if (version >= PROFILES_SINCE) return listKeys(db);
  const columns = KEY_COLUMNS.replace("profile", "NULL AS profile");
  return db.query<KeyRow, []>(`SELECT ${columns} FROM api_key ORDER BY created_at, id`).all();
}

export function addKey(db: Database, key: StoredKey): void {
  const { id, name, scope, hash, prefix, created_at, revoked_at, profile } = key;
  durably(db, () =>
    db
      .query(
        `INSERT INTO api_key (${KEY_COLUMNS})
         VALUES (:id, :name, :scope, :hash, :prefix, :created_at, :revoked_at, :profile)`,
      )
      .run({ id, name, scope, hash, prefix, created_at, revoked_at, profile }),
  );
}

/** False if there is no such key or it is revoked already. */
export function revokeKey(db: Database, id: string, at: number): boolean {
  return durably(db, () => {
    const revoke = db.query(
      "UPDATE api_key SET revoked_at = :at WHERE id = :id AND revoked_at IS NULL",
    );
    return revoke.run({ id, at }).changes > 0;
  });
}

/** False if there is no such key or it is revoked. */
export function setKeyProfile(db: Database, id: string, profile: string | null): boolean {
  return durably(db, () => {
    const change = db.query(
      "UPDATE api_key SET profile = :profile WHERE id = :id AND revoked_at IS NULL",
    );
    return change.run({ id, profile }).changes > 0;
  });
}

export function setOverride(db: Database, key: string, value: string): void {
  durably(db, () =>
    db
      .query(
        `INSERT INTO config_override (key, value) VALUES (:key, :value)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
      )
      .run({ key, value }),
  );
}

/** False if there was none. */
export function deleteOverride(db: Database, key: string): boolean {
  return durably(
    db,
    () => db.query("DELETE FROM config_override WHERE key = :key").run({ key }).changes > 0,
  );
}

/** The state in the database at `path`; what it says of keys is noted beside it. */
export function readState(db: Database, path: string): StoredState {
  const overrides = db
    .query<{ key: string; value: string }, []>(
      "SELECT key, value FROM config_override ORDER BY key",
    )
    .all();
  const keys = listKeys(db);
  noteKeys(path, keys);
  return {
    keys,
    keys_lost: areKeysLost(path, keys),
    overrides: Object.fromEntries(overrides.map(({ key, value }) => [key, value])),
    exclusions: listExclusions(db),
    ...readPreferences(db),
    mutes: listMutes(db),
    trips: listTrips(db),
  };
}

export function writeAudit(db: Database, entry: AuditEntry): void {
  const { at, actor, action, subject, detail } = entry;
  db.query(
    `INSERT INTO audit (at, actor, action, subject, detail)
     VALUES (:at, :actor, :action, :subject, :detail)`,
  ).run({ at, actor, action, subject, detail });
}

/** Newest first. The cursor is the number of the last entry. */
export function listAudit(
  db: Database,
  { limit, cursor }: { limit: number; cursor?: string },
): Page<AuditEntry> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw badCursor();
  const rows = db
    .query<AuditEntry & { id: number }, { rows: number; before: number }>(
      `SELECT id, at, actor, action, subject, detail FROM audit
       WHERE id < :before ORDER BY id DESC LIMIT :rows`,
    )
    .all({
      rows: limit + 1,
      before: cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor),
    });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items: items.map(({ at, actor, action, subject, detail }) => ({
      at,
      actor,
      action,
      subject,
      detail,
    })),
    next: rows.length > limit && last !== undefined ? String(last.id) : null,
  };
}

export function trimAudit(db: Database): void {
  db.query(`DELETE FROM audit WHERE id <= (SELECT max(id) FROM audit) - ${AUDIT_ROWS}`).run();
}
