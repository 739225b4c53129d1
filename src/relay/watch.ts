import { MAX_TIMER_MS } from "../lib/durations.ts";

/** Why work for a request was stopped from our side. */
export type Stop =
  | { readonly kind: "cancelled" }
  | { readonly kind: "router_shutdown" }
  | { readonly kind: "timeout"; readonly limit: LimitName; readonly after_ms: number };

export type LimitName =
  | "connect_timeout"
  | "first_byte_timeout"
  | "first_token_timeout"
  | "response_timeout"
  | "idle_timeout"
  | "deadline"
  | "max_stream";

class StopError extends Error {
  override name = "StopError";
  readonly stop: Stop;

  constructor(stop: Stop) {
    super(stop.kind);
    this.stop = stop;
  }
}

/** A signal that ends with its request, and the way to end it for a named reason. */
export interface Stopper {
  readonly signal: AbortSignal;
  abort(stop: Stop): void;
  /** Null while nothing was stopped. */
  stopped(): Stop | null;
}

export function createStopper(): Stopper {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    abort: (stop) => controller.abort(new StopError(stop)),
    stopped: () => stopOf(controller.signal),
  };
}

function stopOf(signal: AbortSignal): Stop | null {
  if (!signal.aborted) return null;
  const { reason } = signal;
  return reason instanceof StopError ? reason.stop : { kind: "cancelled" };
}

/** The limits of one attempt: named timers on one signal, which also follows its request. */
export interface Watch extends Stopper {
  /** Starts or restarts a limit; infinite means none. */
  arm(limit: LimitName, ms: number): void;
  disarm(limit: LimitName): void;
  /** Frees every timer and lets go of the request. */
  end(): void;
}

export function createWatch(parent: Stopper): Watch {
  const own = createStopper();
  const timers = new Map<LimitName, ReturnType<typeof setTimeout>>();
  const follow = () => own.abort(parent.stopped() ?? { kind: "cancelled" });
  if (parent.signal.aborted) follow();
  else parent.signal.addEventListener("abort", follow, { once: true });

  function disarm(limit: LimitName): void {
    clearTimeout(timers.get(limit));
    timers.delete(limit);
  }

  return {
    ...own,
    arm(limit, after_ms) {
      disarm(limit);
      if (after_ms > MAX_TIMER_MS) return;
      const ring = () => own.abort({ kind: "timeout", limit, after_ms });
      timers.set(limit, setTimeout(ring, Math.max(0, after_ms)));
    },
    disarm,
    end() {
      for (const limit of timers.keys()) disarm(limit);
      parent.signal.removeEventListener("abort", follow);
    },
  };
}
