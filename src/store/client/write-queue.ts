import type { AuditEntry, StoredVerification } from "../store.ts";
import type { Batch } from "../worker-messages.ts";
import { createDecisionRows, type DecisionRow } from "./decision-rows.ts";
import { createFifo } from "./fifo.ts";

export interface QueueLimits {
  readonly rows: number;
  /** Characters of decision JSON, which are what takes the memory. */
  readonly characters: number;
}

/** Rows on their way to the worker, bounded: the oldest go first, and are counted. */
export interface WriteQueue {
  /**
   * A decision that still waits is replaced by its newer version. JSON given as a function is made later, so that
   * the end of a request does not wait for it.
   */
  addDecision(id: string, json: string | (() => string)): void;
  addAudit(entry: AuditEntry): void;
  addVerification(verification: StoredVerification): void;
  /** Removes up to `rows` of the oldest. */
  take(rows: number): Batch;
  size(): number;
  /** Rows that were pushed out so far. */
  dropped(): number;
  /** How many rows ever came in, and how many of these have left: equal when empty. */
  entered(): number;
  left(): number;
}

type Row =
  | DecisionRow
  | { readonly kind: "audit"; readonly entry: AuditEntry }
  | { readonly kind: "verification"; readonly verification: StoredVerification };

export function createWriteQueue(limits: QueueLimits): WriteQueue {
  const rows = createFifo<Row>();
  const decisions = createDecisionRows();
  let left = 0;
  let dropped = 0;

  const shift = (): Row | undefined => {
    const row = rows.shift();
    if (row === undefined) return undefined;
    left += 1;
    if (row.kind === "decision") decisions.remove(row);
    return row;
  };

  const makeRoom = () => {
    const isTooLong = () => decisions.characters() > limits.characters && rows.size() > 1;
    while (rows.size() > limits.rows || isTooLong()) {
      shift();
      dropped += 1;
    }
  };

  return {
    addDecision(id, json) {
      const row = decisions.put(id, json);
      if (row !== undefined) rows.push(row);
      makeRoom();
    },
    addAudit(entry) {
      rows.push({ kind: "audit", entry });
      makeRoom();
    },
    addVerification(verification) {
      rows.push({ kind: "verification", verification });
      makeRoom();
    },
    take(count) {
      decisions.make();
      makeRoom();
      const batch: GrowingBatch = { decisions: [], audit: [], verifications: [] };
      for (let taken = 0; taken < count; taken++) {
        const row = shift();
        if (row === undefined) break;
        if (row.kind === "decision" && row.json === null) dropped += 1;
        else addTo(batch, row);
      }
      return batch;
    },
    size: rows.size,
    dropped: () => dropped,
    entered: () => left + rows.size(),
    left: () => left,
  };
}

type GrowingBatch = { readonly [Part in keyof Batch]: Batch[Part][number][] };

function addTo({ decisions, audit, verifications }: GrowingBatch, row: Row): void {
  if (row.kind === "audit") audit.push(row.entry);
  else if (row.kind === "verification") verifications.push(row.verification);
  else if (typeof row.json === "string") decisions.push(row.json);
}
