import type { Database } from "bun:sqlite";

import initial from "./migrations/0001-initial.sql" with { type: "text" };
import health from "./migrations/0002-health.sql" with { type: "text" };
import preferences from "./migrations/0003-preferences.sql" with { type: "text" };
import verification from "./migrations/0004-verification.sql" with { type: "text" };
import canary from "./migrations/0005-canary.sql" with { type: "text" };
import canaryLists from "./migrations/0006-canary-lists.sql" with { type: "text" };

/** Append only: the position of a step is the schema version it leads to. Released steps never change. */
const MIGRATIONS: readonly string[] = [
  initial,
  health,
  preferences,
  verification,
  canary,
  canaryLists,
];

export const SCHEMA_VERSION = MIGRATIONS.length;

export function schemaVersion(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}

/** Brings an older or empty database to `SCHEMA_VERSION`, each step in its own transaction. */
export function migrate(db: Database): void {
  for (const [index, sql] of MIGRATIONS.entries()) {
    // Read again under the write lock: another process may have migrated while we waited for it.
    const step = db.transaction(() => {
      if (schemaVersion(db) !== index) return;
      db.run(sql);
      db.run(`PRAGMA user_version = ${index + 1}`);
    });
    if (schemaVersion(db) === index) step.immediate();
  }
}
