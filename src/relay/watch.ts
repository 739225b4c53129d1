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

/**
 * Work that can be stopped once, for a named reason, by anyone who holds it or by a limit of its own;
 * with its parent it stops, too, for the parent's reason.
 */
export class Watch {
  readonly #parent: Watch | undefined;
  readonly #follow: (() => void) | undefined;
  readonly #limits: Limit[] = [];
  readonly #listeners: (() => void)[] = [];
  #controller: AbortController | undefined;
  #stop: Stop | null = null;

  constructor(parent?: Watch) {
    if (parent === undefined) return;
    this.#stop = parent.#stop;
    this.#parent = parent;
    this.#follow = () => this.abort(parent.#stop ?? { kind: "cancelled" });
    parent.onStop(this.#follow);
  }

  /** Made when it is first asked for; `onStop` costs less. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#stop !== null) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Calls back when the work is stopped, unless it is already. */
  onStop(listener: () => void): void {
    if (this.#stop === null) this.#listeners.push(listener);
  }

  offStop(listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }

  /** The first reason counts. */
  abort(reason: Stop): void {
    if (this.#stop !== null) return;
    this.#stop = reason;
    this.#controller?.abort();
    // One that is taken back meanwhile is not called.
    for (let next = this.#listeners.shift(); next; next = this.#listeners.shift()) next();
  }

  /** Null while nothing was stopped. */
  stopped(): Stop | null {
    return this.#stop;
  }

  /** Starts or restarts a limit; one beyond what a timer can run is none. */
  arm(name: LimitName, after_ms: number): void {
    let limit = this.#limitOf(name);
    if (!limit) {
      limit = new Limit(this, name);
      this.#limits.push(limit);
    }
    limit.start(after_ms);
  }

  disarm(name: LimitName): void {
    const limit = this.#limitOf(name);
    if (limit) limit.isArmed = false;
  }

  /** Frees every timer and lets go of the parent. */
  end(): void {
    for (const limit of this.#limits) limit.end();
    if (this.#follow) this.#parent?.offStop(this.#follow);
  }

  #limitOf(name: LimitName): Limit | undefined {
    // A loop, since a stream asks twice for each chunk.
    for (const limit of this.#limits) if (limit.name === name) return limit;
    return undefined;
  }
}

/**
 * A limit that is disarmed keeps its timer, which starts anew when it is armed again: that costs less
 * than another timer, and a stream does it for each chunk.
 */
class Limit {
  readonly watch: Watch;
  readonly name: LimitName;
  isArmed = false;
  #after_ms: number | undefined;
  #timer: Timer | undefined;

  constructor(watch: Watch, name: LimitName) {
    this.watch = watch;
    this.name = name;
  }

  start(after_ms: number): void {
    this.isArmed = true;
    if (after_ms === this.#after_ms) {
      this.#timer?.refresh();
      return;
    }
    this.end();
    this.#after_ms = after_ms;
    if (after_ms > MAX_TIMER_MS) return;
    const ring = () => {
      if (this.isArmed) this.watch.abort({ kind: "timeout", limit: this.name, after_ms });
    };
    this.#timer = setTimeout(ring, Math.max(0, after_ms));
  }

  end(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#after_ms = undefined;
  }
}
