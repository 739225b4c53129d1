import type { Arrival } from "./client-request.ts";
import { type Stop, Watch } from "./watch.ts";

/** The client requests open now. */
export interface OpenRequests {
  /** Counts a request as open until the returned function is called. */
  add(watch: Watch): () => void;
  /** Counts one whose body is on its way. */
  arrive(): Arrival;
  size(): number;
  stopAll(stop: Stop): void;
  /** Settles when none is open, at the latest after `limit_ms`. */
  idle(limit_ms: number): Promise<void>;
}

export function createOpenRequests(): OpenRequests {
  const open = new Set<Watch>();
  const waiting = new Set<() => void>();

  function add(watch: Watch): () => void {
    open.add(watch);
    return () => {
      open.delete(watch);
      if (open.size > 0) return;
      for (const resolve of waiting) resolve();
    };
  }

  return {
    add,
    arrive() {
      const watch = new Watch();
      return { onStop: (listener) => watch.onStop(listener), end: add(watch) };
    },
    size: () => open.size,
    stopAll(stop) {
      for (const watch of open) watch.abort(stop);
    },
    async idle(limit_ms) {
      if (open.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const timer = setTimeout(resolve, limit_ms);
      await promise;
      clearTimeout(timer);
      waiting.delete(resolve);
    },
  };
}
