import { StoreError } from "../store-error.ts";
import type { StoredState, StoreStats } from "../store.ts";
import type { Call, Calls, FromWorker, Refusal, ToWorker } from "../worker-messages.ts";
import { createWaitingCalls, type WaitingCalls } from "./calls.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createStatus, type Status, type StoreLog } from "./status.ts";
import { createWriteQueue, type QueueLimits, type WriteQueue } from "./write-queue.ts";

export type Opened = Extract<FromWorker, { kind: "opened" }>;

export interface ConnectionDependencies {
  readonly opened: Opened;
  readonly post: (message: ToWorker) => void;
  readonly log: StoreLog;
  readonly limits: QueueLimits;
}

/** The main thread's side of an open store. */
export interface Connection {
  receive: (message: FromWorker) => void;
  /** The worker is gone: all that waits is refused, and every further row counts as dropped. */
  broken: (reason: string) => void;
  /** On the request path: neither waits nor throws. */
  record: (add: (queue: WriteQueue) => void) => void;
  /** Answered after every row recorded before. Rejects with `StoreError`. */
  call: <C extends Call>(call: C) => Promise<Calls[C["name"]]["gives"]>;
  /** Refuses what comes from now on; what waits still leaves. */
  seal: (refusal: Refusal) => void;
  state: () => StoredState;
  onStateChange: (listener: (state: StoredState) => void) => void;
  stats: () => StoreStats;
}

export function createConnection({
  opened,
  post,
  log,
  limits,
}: ConnectionDependencies): Connection {
  const queue = createWriteQueue(limits);
  const calls = createWaitingCalls();
  const outbox = createOutbox({ queue, calls, post });
  const status = createStatus(opened, log);
  const state = createStateCell(opened.state, log);
  let sealed: Refusal | undefined;

  return {
    receive: createReceiver({ status, outbox, calls, state }),
    broken(reason) {
      sealed ??= { kind: "failed", message: reason };
      outbox.stop();
      status.troubled(sealed);
      calls.refuseAll(sealed);
    },
    record(add) {
      if (sealed) return status.lost(1);
      try {
        add(queue);
        outbox.rowAdded();
      } catch {
        status.lost(1);
      }
    },
    async call(call) {
      if (sealed) throw new StoreError(sealed.kind, sealed.message);
      const answer = calls.add(call, queue.entered());
      outbox.callAdded();
      return answer;
    },
    seal(refusal) {
      sealed ??= refusal;
    },
    state: state.get,
    onStateChange: state.onChange,
    stats: () => status.stats(queue),
  };
}

interface ReceiverDependencies {
  readonly status: Status;
  readonly outbox: Outbox;
  readonly calls: WaitingCalls;
  readonly state: StateCell;
}

function createReceiver({ status, outbox, calls, state }: ReceiverDependencies) {
  return (message: FromWorker) => {
    switch (message.kind) {
      case "written":
        status.lost(message.dropped);
        return outbox.batchWritten();
      case "size":
        return status.resized(message.size_bytes);
      case "trouble":
        return status.troubled(message.refusal);
      case "replaced":
        return status.replaced(message);
      case "state":
        return state.set(message.state);
      case "gave":
      case "refused":
        return calls.answered(message);
      case "opened":
      case "not_opened":
      case "checked":
      case "not_checked":
        return undefined;
    }
  };
}

/** The newest keys and settings, and who wants to know of changes. */
interface StateCell {
  get: () => StoredState;
  set(state: StoredState): void;
  onChange: (listener: (state: StoredState) => void) => void;
}

function createStateCell(first: StoredState, log: StoreLog): StateCell {
  const listeners: ((state: StoredState) => void)[] = [];
  let current = first;
  return {
    get: () => current,
    set(state) {
      current = state;
      for (const listener of listeners) {
        try {
          listener(state);
        } catch (error) {
          // The next listener may be the one that closes the door on a revoked key.
          log.error({ err: error }, "a change of keys or settings could not be applied");
        }
      }
    },
    onChange: (listener) => void listeners.push(listener),
  };
}
