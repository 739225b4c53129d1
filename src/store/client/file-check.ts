import type { FromWorker, ToWorker } from "../worker-messages.ts";
import type { StoreLog } from "./status.ts";

export interface FileCheckDependencies {
  readonly path: string;
  /** The start is over by then, and the first requests are served. */
  readonly delay_ms: number;
  /** A thread of its own: the check of a large file takes minutes. */
  readonly startWorker: () => Worker;
  readonly onResult: (damage: string | null) => void;
  readonly log: StoreLog;
}

/** Reads the whole database beside the work, once, and tells what is wrong with it. Returns what ends the check. */
export function startFileCheck(dependencies: FileCheckDependencies): () => void {
  const { path, delay_ms, startWorker, onResult, log } = dependencies;
  let worker: Worker | undefined;
  const end = () => worker?.terminate();
  const giveUp = (reason: string) => {
    log.warn({ path }, `the database was not checked for damage: ${reason}`);
    end();
  };
  const begin = () => {
    worker = startWorker();
    worker.addEventListener("error", ({ message }) => giveUp(message));
    worker.addEventListener("message", ({ data: message }: MessageEvent<FromWorker>) => {
      if (message.kind === "not_checked") return giveUp(message.refusal.message);
      if (message.kind !== "checked") return;
      end();
      onResult(message.damage);
    });
    const request: ToWorker = { kind: "check", path };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- Threads have no origin.
    worker.postMessage(request);
  };
  const timer = setTimeout(begin, delay_ms);
  return () => {
    clearTimeout(timer);
    end();
  };
}
