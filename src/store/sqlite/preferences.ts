import type { Database } from "bun:sqlite";

import type { StoredState } from "../store.ts";
import { durably } from "./database.ts";

export function readPreferences(db: Database): Pick<StoredState, "profiles" | "allowlist"> {
  const profiles = db
    .query<{ name: string; value: string }, []>("SELECT name, value FROM profile ORDER BY name")
    .all();
  const allowlist = db
    .query<{ target: string }, []>("SELECT target FROM allowlist ORDER BY target")
    .all();
  return {
    profiles: Object.fromEntries(profiles.map(({ name, value }) => [name, value])),
    allowlist: allowlist.map(({ target }) => target),
  };
}

export function setProfile(db: Database, name: string, value: string): void {
  durably(db, () =>
    db
      .query(
        `INSERT INTO profile (name, value) VALUES (:name, :value)
         ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      )
      .run({ name, value }),
  );
}

/** False if there was none. */
export function deleteProfile(db: Database, name: string): boolean {
  return changed(db, "DELETE FROM profile WHERE name = :value", name);
}

/** False if it is there already. */
export function addAllowed(db: Database, target: string): boolean {
  return changed(db, "INSERT OR IGNORE INTO allowlist (target) VALUES (:value)", target);
}

/** False if it was not there. */
export function removeAllowed(db: Database, target: string): boolean {
  return changed(db, "DELETE FROM allowlist WHERE target = :value", target);
}

function changed(db: Database, sql: string, value: string): boolean {
  return durably(db, () => db.query(sql).run({ value }).changes > 0);
}
