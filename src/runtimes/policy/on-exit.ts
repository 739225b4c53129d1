import { isBilling, type Lease } from "../lease.ts";

export type ExitAction =
  /** Costs nothing. */
  | { readonly kind: "nothing" }
  /** Left to its watchdog, which releases it at `until` at the latest. */
  | { readonly kind: "detach"; readonly until: number }
  | { readonly kind: "release"; readonly why: string };

/**
 * What a process that ends does with a runtime. Only one whose watchdog was seen alive within its TTL
 * may be left alone: without, nobody would ever release it.
 */
export function onExit(lease: Lease, setting: "detach" | "release", now: number): ExitAction {
  const { phase, watchdog } = lease;
  if (!isBilling(phase)) return { kind: "nothing" };
  if (phase === "stopping") return { kind: "release", why: "it is being released" };
  if (phase === "starting") return { kind: "release", why: "it never became ready" };
  if (setting === "release") return { kind: "release", why: "`runtimes.on_exit` says so" };
  if (watchdog === null) return { kind: "release", why: "no watchdog runs on it" };
  const { seen_at, ttl_s } = watchdog;
  const ttl_ms = ttl_s * 1000;
  // A sighting in the future is one of a clock that was set back.
  if (seen_at === null || Math.abs(now - seen_at) > ttl_ms) {
    return { kind: "release", why: "its watchdog was not seen alive lately" };
  }
  return { kind: "detach", until: Math.min(lease.hard_deadline, now + ttl_ms) };
}
