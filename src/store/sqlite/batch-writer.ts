import type { Database } from "bun:sqlite";

import { type StoreError, storeErrorKind, toStoreError } from "../store-error.ts";
import type { Batch } from "../worker-messages.ts";
import type { DecisionTable } from "./decisions.ts";
import { writeAudit } from "./settings.ts";
import { writeVerification } from "./verifications.ts";

/** How often a batch waits for the lock of another process, and the pause between: 15 s in all. */
const LOCK_RETRIES = 12;
const LOCK_PAUSE_MS = 250;

export interface BatchResult {
  /** Rows that could not be written and are given up. */
  readonly dropped: number;
  readonly trouble: StoreError | null;
}

export interface BatchWriterDependencies {
  readonly db: Database;
  readonly decisions: DecisionTable;
  readonly pause: (milliseconds: number) => Promise<void>;
}

export function rowsIn({ decisions, audit, verifications }: Batch): number {
  return decisions.length + audit.length + verifications.length;
}

/** Writes a batch in one transaction. Never throws: what cannot be written is dropped and counted. */
export function createBatchWriter({ db, decisions, pause }: BatchWriterDependencies) {
  const write = db.transaction((batch: Batch) => {
    const refused =
      batch.decisions.filter((decision) => !isWritten(() => decisions.write(decision))).length +
      batch.audit.filter((entry) => !isWritten(() => writeAudit(db, entry))).length +
      batch.verifications.filter((row) => !isWritten(() => writeVerification(db, row))).length;
    return refused;
  });
  return async (batch: Batch): Promise<BatchResult> => {
    const rows = rowsIn(batch);
    for (let retries = LOCK_RETRIES; ; retries--) {
      try {
        return { dropped: write.immediate(batch), trouble: null };
      } catch (error) {
        const trouble = toStoreError(error, `${rows} rows were not written`);
        if (trouble.kind !== "locked" || retries === 0) return { dropped: rows, trouble };
      }
      await pause(LOCK_PAUSE_MS);
    }
  };
}

/** False for a row that breaks a rule of its table: it must not take its batch along. */
function isWritten(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (storeErrorKind(error) !== "failed") throw error;
    return false;
  }
}
