import { Database } from "bun:sqlite";
import { join } from "node:path";

/** How the binary is run with a directory for its state, home and working directory. */
export function runIn(directory: string, env: Readonly<Record<string, string>> = {}) {
  const own = { HOME: directory, VERIROUTE_STATE_DIR: directory };
  return { env: { VERIROUTE_ROUTING_DISCOVER_LOCAL: "false", ...own, ...env }, cwd: directory };
}

export const databaseIn = (directory: string): string => join(directory, "veriroute.db");

/** What SQLite itself finds wrong with a database file; `ok` if nothing. */
export function integrityOf(path: string): string {
  using db = new Database(path);
  const row = db.query<{ integrity_check: string }, []>("PRAGMA integrity_check").get();
  return row?.integrity_check ?? "nothing";
}

/** The outcome of every decision in a database file, by the id its client gave the request. */
export function outcomesIn(path: string): ReadonlyMap<string, string> {
  using db = new Database(path);
  const rows = db.query<{ request_id: string; outcome: string }, []>(
    "SELECT record ->> '$.request_id' AS request_id, outcome FROM decision",
  );
  return new Map(rows.all().map(({ request_id, outcome }) => [request_id, outcome]));
}
