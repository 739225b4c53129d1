import { Database } from "bun:sqlite";
import { chmodSync, closeSync, mkdirSync, openSync, readSync } from "node:fs";
import { dirname } from "node:path";

import { StoreError, toStoreError } from "../store-error.ts";
import { migrate, SCHEMA_VERSION, schemaVersion } from "./migrations.ts";

/** A private database that ends with its connection, for tests. */
export const IN_MEMORY = ":memory:";

/** How long opening waits for a lock of another process. */
const OPEN_WAIT_MS = 5000;
/** How long one write waits before the worker looks at its other work again. */
const WRITE_WAIT_MS = 1000;

const WAL_LIMIT_BYTES = 64 * 1024 ** 2;

/** Where SQLite keeps `user_version` in the first page, big-endian. */
const USER_VERSION_OFFSET = 60;
const MAGIC = "SQLite format 3\0";

/**
 * Opens or creates the database at `path`, readable by its owner only, and migrates it.
 * Throws `StoreError`; a database of a newer version is refused without being touched.
 */
export function openDatabase(path: string): Database {
  let db: Database | undefined;
  try {
    if (path !== IN_MEMORY) prepareFile(path);
    db = new Database(path, { create: true, readwrite: true, strict: true });
    refuseNewer(path, schemaVersion(db));
    configure(db);
    migrate(db);
    db.run(`PRAGMA busy_timeout = ${WRITE_WAIT_MS}`);
    return db;
  } catch (error) {
    db?.close();
    throw toStoreError(error, `cannot open \`${path}\``);
  }
}

function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Created by us, not by SQLite, so that it is never readable by others, not even at first.
  const file = openSync(path, "a+", 0o600);
  try {
    const header = Buffer.alloc(USER_VERSION_OFFSET + 4);
    const length = readSync(file, header, 0, header.length, 0);
    if (length === header.length && header.toString("latin1", 0, MAGIC.length) === MAGIC) {
      refuseNewer(path, header.readUInt32BE(USER_VERSION_OFFSET));
    }
  } finally {
    closeSync(file);
  }
  chmodSync(path, 0o600);
}

/** Throws for a database of a later version, whose tables may mean something else. */
export function refuseNewer(path: string, version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new StoreError(
    "newer_schema",
    `\`${path}\` has schema ${version}, this version knows up to ${SCHEMA_VERSION}. ` +
      "Use the newer version, or start with another state directory.",
  );
}

function configure(db: Database): void {
  db.run(`PRAGMA busy_timeout = ${OPEN_WAIT_MS}`);
  // Takes effect only before the first table is made; later it would write to the file for nothing.
  if (schemaVersion(db) === 0) db.run("PRAGMA auto_vacuum = INCREMENTAL");
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = NORMAL");
  db.run("PRAGMA foreign_keys = ON");
  db.run(`PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES}`);
}

/** What is wrong with the file in SQLite's words, or null. Reads all of it, or of one table. */
export function findDamage(db: Database, table?: string): string | null {
  const row = db.query<{ quick_check: string }, []>(`PRAGMA quick_check(${table ?? 1})`).get();
  return row === null || row.quick_check === "ok" ? null : row.quick_check;
}

function pragmaNumber(db: Database, name: "page_count" | "freelist_count" | "page_size"): number {
  return (
    db.query<{ value: number }, []>(`SELECT ${name} AS value FROM pragma_${name}`).get()?.value ?? 0
  );
}

/** Bytes of the file, and of these the bytes that hold something. */
export function databaseSize(db: Database): {
  size_bytes: number;
  used_bytes: number;
  free_pages: number;
} {
  const [pages, free_pages] = [pragmaNumber(db, "page_count"), pragmaNumber(db, "freelist_count")];
  const page = pragmaNumber(db, "page_size");
  return { size_bytes: pages * page, used_bytes: (pages - free_pages) * page, free_pages };
}

/** Moves the log into the file and empties it, unless a reader or writer is in the way right now. */
export function checkpoint(db: Database): void {
  db.run("PRAGMA busy_timeout = 0");
  try {
    db.query("PRAGMA wal_checkpoint(TRUNCATE)").all();
  } finally {
    db.run(`PRAGMA busy_timeout = ${WRITE_WAIT_MS}`);
  }
}

/** Runs a change that must survive a power cut: by default the last moments before one may be lost. */
export function durably<T>(db: Database, change: () => T): T {
  db.run("PRAGMA synchronous = FULL");
  try {
    return db.transaction(change).immediate();
  } finally {
    db.run("PRAGMA synchronous = NORMAL");
  }
}
