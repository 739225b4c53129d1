import { Database } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";

import { findDamage } from "./sqlite/database.ts";
import { StoreError, toStoreError } from "./store-error.ts";

/** How long a backup waits for a checkpoint of the server. */
const WAIT_MS = 5000;

export interface BackupResult {
  readonly path: string;
  readonly size_bytes: number;
}

/**
 * Copies the database at `from` into the new file `to`, readable by its owner only, while a server
 * may be writing to it. `to` appears when it is complete and checked. Throws `StoreError`: `missing`,
 * `exists`, `damaged`, `full`, `unwritable`, `locked`.
 */
export function backupDatabase(from: string, to: string): BackupResult {
  if (!existsSync(from)) {
    throw new StoreError("missing", `there is no database at \`${from}\`: has a server run here?`);
  }
  if (existsSync(to)) throw alreadyThere(to);
  const partial = `${to}.partial-${process.pid}`;
  try {
    rmSync(partial, { force: true });
    // Made by us, so that it is never readable by others; SQLite accepts an empty file.
    closeSync(openSync(partial, "wx", 0o600));
    copyInto(from, partial);
    check(partial);
    publish(partial, to);
    return { path: to, size_bytes: statSync(to).size };
  } catch (error) {
    throw toStoreError(error, `cannot back up \`${from}\` to \`${to}\``);
  } finally {
    for (const suffix of ["", "-journal", "-wal", "-shm"])
      rmSync(partial + suffix, { force: true });
  }
}

const alreadyThere = (to: string) =>
  new StoreError(
    "exists",
    `\`${to}\` exists and is not overwritten. Choose another name or remove it.`,
  );

function copyInto(from: string, partial: string): void {
  const source = new Database(from, { readonly: true, strict: true });
  try {
    source.run(`PRAGMA busy_timeout = ${WAIT_MS}`);
    source.query("VACUUM INTO :partial").run({ partial });
  } finally {
    source.close();
  }
}

function check(partial: string): void {
  const copy = new Database(partial, { readonly: true });
  try {
    const damage = findDamage(copy);
    if (damage === null) return;
    throw new StoreError("damaged", `the database is damaged (${damage}) and was not backed up.`);
  } finally {
    copy.close();
  }
}

/** Gives the finished file its name; refuses to replace a file that appeared meanwhile. */
function publish(partial: string, to: string): void {
  const file = openSync(partial, "r+");
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(partial, to);
  } catch {
    if (existsSync(to)) throw alreadyThere(to);
    // File systems without hard links, such as FAT on a stick.
    renameSync(partial, to);
  }
}
