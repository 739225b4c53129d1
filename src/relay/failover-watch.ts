import { afterServed, type FailoverStreak, isPersistent } from "../health/failover-watch.ts";
import type { HealthNotice } from "../health/notices.ts";
import type { RoutePlan } from "../routing/plan.ts";

/** Watches for pools whose first choice has stopped serving, which failover would otherwise hide. */
export type FailoverWatch = (plan: Pick<RoutePlan, "pool" | "candidates">, served: string) => void;

/** Pools that have gone with a reload must not stay for ever. */
const MAX_POOLS = 1000;

export function createFailoverWatch(notify: (notice: HealthNotice) => void): FailoverWatch {
  const streaks = new Map<string, FailoverStreak | null>();
  return ({ pool, candidates }, served) => {
    if (pool === null) return;
    const streak = afterServed(streaks.get(pool) ?? null, candidates, served);
    streaks.delete(pool);
    streaks.set(pool, streak);
    const [oldest] = streaks.keys();
    if (streaks.size > MAX_POOLS && oldest !== undefined) streaks.delete(oldest);
    if (streak !== null && isPersistent(streak)) {
      notify({ kind: "persistent_failover", pool, ...streak });
    }
  };
}
