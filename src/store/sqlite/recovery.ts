import { Database } from "bun:sqlite";
import { existsSync, renameSync, statSync } from "node:fs";

import { StoreError, storeErrorKind, toStoreError } from "../store-error.ts";
import type { AuditEntry, StoredState } from "../store.ts";
import { findDamage, IN_MEMORY, openDatabase } from "./database.ts";
import { addExclusion, saveTrip } from "./health.ts";
import { addAllowed, setProfile } from "./preferences.ts";
import { addKey, listAudit, readState, setOverride, writeAudit } from "./settings.ts";
import { addMute } from "./tallies.ts";

/** Files up to this size are read whole before a start is done with them, in some ten milliseconds. */
const CHECKED_AT_START_BYTES = 4 * 1024 ** 2;
/** Larger ones up to this size at every start, but beside the work; beyond it only after a crash. */
const ALWAYS_CHECKED_BYTES = 256 * 1024 ** 2;

/** What a start reads, none of which grows with the history. */
const TABLES_OF_A_START = [
  "session",
  "api_key",
  "config_override",
  "profile",
  "allowlist",
  "exclusion",
  "mute",
  "trip",
  "tally",
  "canary_fleet",
];

export interface OpenedDatabase {
  readonly db: Database;
  /** Why the database at hand is a fresh one, for people; null if it is not. */
  readonly problem: string | null;
  /** Most of the file is yet to be read for damage: it is large. */
  readonly unchecked: boolean;
}

/**
 * Opens the database at `path`; a damaged one is renamed, never deleted, and replaced by a fresh
 * one with all keys, overrides and audit entries that can still be read. `now` names the old file.
 */
export function openOrReplace(path: string, now: number): OpenedDatabase {
  let db: Database | undefined;
  try {
    db = openDatabase(path);
    const check = checkFor(db, path);
    const damage = check === "small" ? findDamage(db) : findDamageOfStart(db);
    if (damage === null) return { db, problem: null, unchecked: check === "large" };
  } catch (error) {
    if (storeErrorKind(error) !== "damaged") {
      db?.close();
      throw error;
    }
  }
  return replaceDamaged(path, now, db);
}

/** A file beyond all limits is read whole only after a stop that was not a proper one, damage noticed included. */
function checkFor(db: Database, path: string): "none" | "small" | "large" {
  if (path === IN_MEMORY) return "none";
  const { size } = statSync(path);
  if (size <= CHECKED_AT_START_BYTES) return "small";
  return size <= ALWAYS_CHECKED_BYTES || !closedCleanly(db) ? "large" : "none";
}

function findDamageOfStart(db: Database): string | null {
  return TABLES_OF_A_START.map((table) => findDamage(db, table)).find((found) => found) ?? null;
}

/** What is wrong with the file at `path`, or null; for a thread that has nothing else to do. Throws `StoreError`. */
export function checkFile(path: string): string | null {
  let db: Database | undefined;
  try {
    db = new Database(path, { readonly: true });
    return findDamage(db);
  } catch (error) {
    const failure = toStoreError(error, `cannot check \`${path}\``);
    if (failure.kind === "damaged") return failure.message;
    throw failure;
  } finally {
    db?.close();
  }
}

/** As `openOrReplace` does with a database that is damaged; `damaged` is closed, if that can be done. */
export function replaceDamaged(
  path: string,
  now: number,
  damaged: Database | undefined,
): OpenedDatabase {
  const state = damaged && attempt(() => readState(damaged, path));
  const audit = damaged && attempt(() => listAudit(damaged, { limit: 10_000 }).items);
  attempt(() => damaged?.close());
  const kept = setAside(path, now);
  const db = openDatabase(path);
  carryOver(db, state, audit);
  const rest = state
    ? "Keys and settings were carried over."
    : "Keys and settings could not be read: if there were keys, nobody is let in until `veriroute keys create` makes new ones.";
  return {
    db,
    problem: `the database was damaged and is kept as \`${kept}\`; a fresh one serves. ${rest}`,
    unchecked: false,
  };
}

function carryOver(
  db: Database,
  state: StoredState | undefined,
  audit: readonly AuditEntry[] | undefined,
): void {
  if (state) carryStateOver(db, state);
  for (const entry of audit?.toReversed() ?? []) attempt(() => writeAudit(db, entry));
}

function carryStateOver(db: Database, state: StoredState): void {
  const { keys, overrides, exclusions, profiles, allowlist, mutes, trips } = state;
  for (const key of keys) attempt(() => addKey(db, key));
  for (const [key, value] of Object.entries(overrides)) attempt(() => setOverride(db, key, value));
  for (const exclusion of exclusions) attempt(() => addExclusion(db, exclusion));
  for (const [name, json] of Object.entries(profiles)) attempt(() => setProfile(db, name, json));
  for (const target of allowlist) attempt(() => addAllowed(db, target));
  for (const mute of mutes) attempt(() => addMute(db, mute));
  for (const trip of trips) attempt(() => saveTrip(db, trip));
}

/** What a damaged file yields is worth having; what it does not was lost before. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Renames the database with its log; returns the new path. */
function setAside(path: string, now: number): string {
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, "-");
  let kept = `${path}.damaged-${time}`;
  for (let n = 2; existsSync(kept); n++) kept = `${path}.damaged-${time}-${n}`;
  for (const suffix of ["", "-wal", "-shm"]) {
    if (existsSync(path + suffix)) renameSync(path + suffix, kept + suffix);
  }
  return kept;
}

function closedCleanly(db: Database): boolean {
  const row = db.query<{ closed_cleanly: number }, []>("SELECT closed_cleanly FROM session").get();
  return row?.closed_cleanly === 1;
}

export function noteSession(db: Database, closed: boolean): void {
  db.query("UPDATE session SET closed_cleanly = :value").run({ value: closed ? 1 : 0 });
}

/** Thrown where a statement met damage while serving. */
export function damageFound(path: string, cause: unknown): StoreError {
  return new StoreError(
    "damaged",
    `\`${path}\` is damaged: nothing more is written. Restart the server: it sets the file aside and goes on with a fresh one.`,
    cause,
  );
}
