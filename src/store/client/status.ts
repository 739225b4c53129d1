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
  stats(queue: WriteQueue): StoreStats;
}

/** Troubles that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set(["full", "locked"]);

export function createStatus({ problem, ...opened }: Opened, log: StoreLog): Status {
  let { size_bytes } = opened;
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
