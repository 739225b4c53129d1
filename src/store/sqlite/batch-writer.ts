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
  const writesOf = (batch: Batch): (() => void)[] => [
    ...batch.decisions.map((decision) => () => decisions.write(decision)),
    ...batch.audit.map((entry) => () => writeAudit(db, entry)),
    ...batch.verifications.map((row) => () => writeVerification(db, row)),
  ];
  const writeAll = db.transaction((batch: Batch) => {
    for (const write of writesOf(batch)) write();
  });
  const writeRow = db.transaction((write: () => void) => write());
  const writeEach = db.transaction(
    (batch: Batch) => writesOf(batch).filter((write) => !isWritten(() => writeRow(write))).length,
  );
  /** How many rows were refused. A savepoint for each row costs more than the row: only a batch with a bad one pays. */
  const write = (batch: Batch): number =>
    isWritten(() => writeAll.immediate(batch)) ? 0 : writeEach.immediate(batch);
  return async (batch: Batch): Promise<BatchResult> => {
    const rows = rowsIn(batch);
    for (let retries = LOCK_RETRIES; ; retries--) {
      try {
        return { dropped: write(batch), trouble: null };
      } catch (error) {
        const trouble = toStoreError(error, `${rows} rows were not written`);
        if (trouble.kind !== "locked" || retries === 0) return { dropped: rows, trouble };
      }
      await pause(LOCK_PAUSE_MS);
    }
  };
}

/** False for rows of which one breaks a rule of its table: it must not take its batch along. */
function isWritten(write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    if (storeErrorKind(error) !== "failed") throw error;
    return false;
  }
}
