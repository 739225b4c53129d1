import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";

import { refuseNewer } from "./sqlite/database.ts";
import { schemaVersion } from "./sqlite/migrations.ts";
import { PROFILES_SINCE } from "./sqlite/settings.ts";
import { toStoreError } from "./store-error.ts";
import type { KeyScope } from "./store.ts";

/** What of the store a config depends on. */
export interface SavedState {
  /** Scopes of the keys in use. */
  readonly scopes: ReadonlySet<KeyScope>;
  /** Names. */
  readonly profiles: ReadonlySet<string>;
}

/**
 * What the database at `path` holds; null if there is none. Reads only, and migrates nothing: a
 * server of an older version may be running on it. Throws `StoreError`.
 */
export function readSavedState(path: string): SavedState | null {
  return reading(path, (db, version) => {
    const scopes = db.query<{ scope: KeyScope }, []>(
      "SELECT DISTINCT scope FROM api_key WHERE revoked_at IS NULL",
    );
    const profiles =
      version < PROFILES_SINCE
        ? []
        : db.query<{ name: string }, []>("SELECT name FROM profile").all();
    return {
      scopes: new Set(scopes.all().map(({ scope }) => scope)),
      profiles: new Set(profiles.map(({ name }) => name)),
    };
  });
}

/** Reads the database at `path` as it is, of whatever version; null if there is none. Throws `StoreError`. */
export function reading<T>(path: string, read: (db: Database, version: number) => T): T | null {
  if (!existsSync(path)) return null;
  let db: Database | undefined;
  try {
    db = new Database(path, { readonly: true, strict: true });
    const version = schemaVersion(db);
    refuseNewer(path, version);
    return version === 0 ? null : read(db, version);
  } catch (error) {
    throw toStoreError(error, `cannot read \`${path}\``);
  } finally {
    db?.close();
  }
}
