import type { StoreStats } from "../store.ts";
import type { FromWorker, Refusal } from "../worker-messages.ts";
import type { WriteQueue } from "./write-queue.ts";

/** The part of a pino logger the store uses. */
export interface StoreLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How well writing goes. */
export interface Status {
  /** Rows the worker could not write. */
  lost(rows: number): void;
  resized(size_bytes: number): void;
  troubled(refusal: Refusal | null): void;
  /** A fresh database serves in place of a damaged one. */
  replaced(fresh: Pick<Opened, "problem" | "size_bytes">): void;
  stats(queue: WriteQueue): StoreStats;
}

/** Troubles that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(["full", "locked"]);

export function createStatus(opened: Opened, log: StoreLog): Status {
  let { size_bytes, problem } = opened;
  let dropped = 0;
  let trouble: Refusal | null = null;
  return {
    lost: (rows) => void (dropped += rows),
    resized: (bytes) => void (size_bytes = bytes),
    troubled(refusal) {
      if (refusal)
        log.error({ kind: refusal.kind }, `decisions are not stored: ${refusal.message}`);
      else log.warn({ dropped }, "decisions are stored again");
      trouble = refusal;
    },
    replaced(fresh) {
      ({ size_bytes, problem } = fresh);
      trouble = null;
      log.error({}, problem ?? "the database was replaced");
    },
    stats: (queue) => ({
      queued: queue.size(),
      dropped: dropped + queue.dropped(),
      size_bytes,
      healthy: problem === null && (trouble === null || PASSING.has(trouble.kind)),
      problem: trouble?.message ?? problem,
    }),
  };
}

type Opened = Extract<FromWorker, { kind: "opened" }>;
