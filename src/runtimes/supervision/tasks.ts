import type { Log } from "../../telemetry/log.ts";
import type { Kept, TaskKind } from "./kept.ts";

export interface Tasks {
  /** Starts something that nobody waits for; a failure is logged and ends nothing else. */
  readonly spawn: (act: () => Promise<unknown>) => void;
  /** The same for a runtime: one of a kind at a time, none while it ends. */
  readonly begin: (kept: Kept, kind: TaskKind, act: () => Promise<unknown>) => void;
  /** Settles once nothing is under way. */
  readonly settled: () => Promise<void>;
}

export function createTasks(log: Pick<Log, "error">): Tasks {
  const running = new Set<Promise<void>>();

  function spawn(act: () => Promise<unknown>): void {
    const guarded = async () => {
      try {
        await act();
      } catch (error) {
        log.error({ err: error }, "the supervisor failed at one thing and goes on");
      }
    };
    const task: Promise<void> = guarded().finally(() => running.delete(task));
    running.add(task);
  }

  return {
    spawn,
    begin(kept, kind, act) {
      if (kept.busy.has(kind) || kept.ending !== null) return;
      kept.busy.add(kind);
      spawn(async () => {
        try {
          await act();
        } finally {
          kept.busy.delete(kind);
        }
      });
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
