import { MAX_TIMER_MS } from "../lib/durations.ts";

/** Why work for a request was stopped from our side. */
export type Stop =
  | { readonly kind: "cancelled" }
  | { readonly kind: "router_shutdown" }
  /** The router failed on its own account. */
  | { readonly kind: "router_fault" }
  | { readonly kind: "timeout"; readonly limit: LimitName; readonly after_ms: number };

export type LimitName =
  | "connect_timeout"
  | "first_byte_timeout"
  | "first_token_timeout"
  | "response_timeout"
  | "idle_timeout"
  | "deadline"
  | "max_stream";

/** Work that can be stopped once, for a named reason, by anyone who holds it or by a limit of its own. */
export interface Watch {
  /** Made when it is first asked for; `onStop` costs less. */
  readonly signal: AbortSignal;
  /** Calls back when the work is stopped, unless it is already; returns what takes that back. */
  onStop(listener: () => void): () => void;
  /** The first reason counts. */
  abort(stop: Stop): void;
  /** Null while nothing was stopped. */
  stopped(): Stop | null;
  /** Starts or restarts a limit; one beyond what a timer can run is none. */
  arm(limit: LimitName, ms: number): void;
  disarm(limit: LimitName): void;
  /** Frees every timer and lets go of the parent. */
  end(): void;
}

/**
 * A limit that is disarmed keeps its timer, which starts anew when it is armed again: that costs less
 * than another timer, and a stream does it for each chunk.
 */
interface Limit {
  readonly timer: ReturnType<typeof setTimeout>;
  readonly after_ms: number;
  isArmed: boolean;
}

/** A watch that also stops when its parent does, for the parent's reason. */
export function createWatch(parent?: Watch): Watch {
  const listeners = new Set<() => void>();
  const limits = new Map<LimitName, Limit>();
  let controller: AbortController | undefined;
  let stop: Stop | null = null;

  function abort(reason: Stop): void {
    if (stop !== null) return;
    stop = reason;
    controller?.abort();
    for (const listener of listeners) listener();
    listeners.clear();
  }
  function forget(limit: LimitName): void {
    clearTimeout(limits.get(limit)?.timer);
    limits.delete(limit);
  }
  function onStop(listener: () => void) {
    if (stop === null) listeners.add(listener);
    return () => void listeners.delete(listener);
  }
  const follow = () => abort(parent?.stopped() ?? { kind: "cancelled" });
  const letGo = parent?.onStop(follow);
  if (parent?.stopped()) follow();

  return {
    get signal() {
      controller ??= new AbortController();
      if (stop !== null) controller.abort();
      return controller.signal;
    },
    onStop,
    abort,
    stopped: () => stop,
    arm(name, after_ms) {
      const known = limits.get(name);
      if (known?.after_ms === after_ms) {
        known.isArmed = true;
        known.timer.refresh();
        return;
      }
      forget(name);
      if (after_ms > MAX_TIMER_MS) return;
      const ring = () => {
        if (limit.isArmed) abort({ kind: "timeout", limit: name, after_ms });
      };
      const limit = { after_ms, isArmed: true, timer: setTimeout(ring, Math.max(0, after_ms)) };
      limits.set(name, limit);
    },
    disarm(name) {
      const known = limits.get(name);
      if (known) known.isArmed = false;
    },
    end() {
      for (const name of limits.keys()) forget(name);
      letGo?.();
    },
  };
}
