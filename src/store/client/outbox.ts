import type { ToWorker } from "../worker-messages.ts";
import type { WaitingCalls } from "./calls.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Rows per message: enough to share a transaction, few enough to be copied in no time. */
const BATCH_ROWS = 200;
/** How long a row waits for company, which is also what a kill -9 can lose. */
const BATCH_WAIT_MS = 100;

export interface OutboxDependencies {
  readonly queue: WriteQueue;
  readonly calls: WaitingCalls;
  readonly post: (message: ToWorker) => void;
}

/** The order in which rows and calls leave for the worker: as they came. */
export interface Outbox {
  rowAdded(): void;
  callAdded(): void;
  /** The worker is done with a batch. The next leaves only then, so that its memory stays bounded. */
  batchWritten(): void;
  /** Nothing leaves any more. */
  stop(): void;
}

export function createOutbox({ queue, calls, post }: OutboxDependencies): Outbox {
  let writing = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!writing && queue.size() > 0) {
      writing = true;
      post({ kind: "write", batch: queue.take(BATCH_ROWS) });
    }
    calls.takeReady(queue.left()).forEach(post);
  };

  const sendSoon = () => {
    if (stopped || writing || queue.size() === 0) return;
    if (queue.size() >= BATCH_ROWS || calls.unsent() > 0) send();
    else timer ??= setTimeout(send, BATCH_WAIT_MS);
  };

  return {
    rowAdded: sendSoon,
    callAdded: send,
    batchWritten() {
      writing = false;
      sendSoon();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
