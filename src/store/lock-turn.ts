import { Database } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { join } from "node:path";

/** Of a turn, which takes about a millisecond. */
const PATIENCE_MS = 5000;

/**
 * Acts while no other process does for the same directory. SQLite asks the kernel for the lock, which lets
 * go of it with the process; its empty file stays, for one that is removed while others wait lets two of
 * them in. Throws SQLite's own errors.
 */
export function inTurn(directory: string, act: () => void): void {
  const path = join(directory, ".lock-turn");
  using turn = new Database(path, { create: true });
  chmodSync(path, 0o600);
  turn.run(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  turn.run("BEGIN EXCLUSIVE");
  try {
    act();
  } finally {
    turn.run("ROLLBACK");
  }
}
