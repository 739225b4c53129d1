import type { HealthNotice } from "../health/notices.ts";
import type { Clock } from "../lib/clock.ts";
import type { Decision } from "../routing/decision.ts";
import type { Sink } from "../telemetry/events.ts";

interface DegradedWatchDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly notify: (notice: HealthNotice) => void;
}

/** How long a pool may go on like this before it is told again. */
const QUIET_MS = 30 * 60_000;
/** Pools that have gone with a reload must not stay for ever. */
const MAX_POOLS = 1000;

/**
 * Raises the alarm when a pool had nothing to serve with but a target whose answers are not trusted.
 * A client that names such a target gets what it asked for, which is no alarm.
 */
export function createDegradedWatch({ clock, notify }: DegradedWatchDependencies): Sink {
  const told = new Map<string, number>();

  function isNews(key: string): boolean {
    const now = clock.now();
    if (now - (told.get(key) ?? -Infinity) < QUIET_MS) return false;
    told.delete(key);
    told.set(key, now);
    const [oldest] = told.keys();
    if (told.size > MAX_POOLS && oldest !== undefined) told.delete(oldest);
    return true;
  }

  return {
    name: "degraded",
    record(event) {
      const found = event.kind === "request" ? doubtfulService(event.decision) : null;
      if (found === null || !isNews(`${found.pool} ${found.target}`)) return;
      notify({ kind: "degraded_service", ...found });
    },
  };
}

function doubtfulService({ degraded, pool, served, plan }: Decision) {
  if (!degraded || pool === null || served === null) return null;
  const candidate = plan.candidates.find(({ target }) => target === served);
  const trip = candidate?.reasons.find(({ code }) => code === "breaker_open");
  return trip ? { pool, target: served, detail: trip.detail ?? "its breaker is open" } : null;
}
