import type { Database } from "bun:sqlite";

import type { PruneResult } from "../store.ts";
import { checkpoint, databaseSize } from "./database.ts";
import type { DecisionTable } from "./decisions.ts";
import { trimAudit } from "./settings.ts";
import { deleteOldVerifications } from "./verifications.ts";

/** Rows deleted, and pages given back, before waiting writes get their turn: some milliseconds each. */
const BATCH_ROWS = 500;
const BATCH_PAGES = 250;

export interface PruneDependencies {
  readonly db: Database;
  readonly decisions: DecisionTable;
  /** Lets queued writes pass; false ends the work early. */
  readonly breathe: () => Promise<boolean>;
}

/** Deletes what is too old, then the oldest while the rest is too large, and gives the space back. */
export async function prune(
  { db, decisions, breathe }: PruneDependencies,
  limits: { readonly before: number; readonly max_size_bytes: number },
): Promise<PruneResult> {
  let deleted = 0;
  let going = true;
  const deleteWhile = async (before: number, wanted: () => boolean) => {
    while (going && wanted()) {
      const count = decisions.deleteOldest(BATCH_ROWS, before);
      if (count === 0) return;
      deleted += count;
      going = await breathe();
    }
  };
  await deleteWhile(limits.before, () => true);
  await deleteWhile(
    Number.MAX_SAFE_INTEGER,
    () => databaseSize(db).used_bytes > limits.max_size_bytes,
  );
  // Verdicts go with the decisions they are about.
  const kept = Math.max(limits.before, decisions.oldest() ?? 0);
  while (going && deleteOldVerifications(db, BATCH_ROWS, kept) > 0) going = await breathe();
  trimAudit(db);
  // Bounded by what is free now: writes that go on meanwhile free and take pages, too.
  for (let free = databaseSize(db).free_pages; going && free > 0; free -= BATCH_PAGES) {
    db.query(`PRAGMA incremental_vacuum(${BATCH_PAGES})`).all();
    going = await breathe();
  }
  checkpoint(db);
  return { deleted, size_bytes: databaseSize(db).size_bytes };
}
