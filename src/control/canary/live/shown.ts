import type { SuspensionInForce } from "../../../canary/ladder/in-force.ts";
import { totalUsd } from "../../../canary/spending/budget.ts";
import type { CanaryFigures, CanaryStatus } from "../canary-status.ts";
import type { FleetKeeper } from "./fleet-keeper.ts";
import type { createProbeCounts } from "./probe-counts.ts";
import type { Purse } from "./purse.ts";
import type { CanarySettings } from "./settings.ts";

interface Parts {
  readonly keeper: Pick<FleetKeeper, "fleet">;
  readonly purse: Pick<Purse, "spent">;
}

interface Shown extends Parts {
  readonly is_running: boolean;
  readonly next_at: number | null;
}

export function statusOf(
  { mode, interval_ms, limits }: CanarySettings,
  { keeper, purse, is_running, next_at }: Shown,
): CanaryStatus {
  const { endpoints, strength, last_round_n, last_round_at } = keeper.fleet();
  return {
    mode,
    interval_ms,
    round: { n: last_round_n, is_running, last_ended_at: last_round_at, next_at },
    spending: {
      usd_today: totalUsd(purse.spent()),
      max_usd_per_day: limits.usd_per_day,
      by_instance: spentOf(purse),
    },
    is_filter_probe_weak: strength.is_weak,
    endpoints: [...endpoints.values()].toSorted((a, b) => (a.endpoint < b.endpoint ? -1 : 1)),
  };
}

const spentOf = (purse: Parts["purse"]) =>
  [...purse.spent()].map(([instance, { tokens, usd }]) => ({ instance, tokens, usd }));

interface Counted extends Parts {
  readonly counts: ReturnType<typeof createProbeCounts>;
  readonly in_force: readonly SuspensionInForce[];
}

export function figuresOf({ keeper, purse, counts, in_force }: Counted): CanaryFigures {
  const { endpoints, last_round_at } = keeper.fleet();
  const instances = new Set([...endpoints.values()].map(({ instance }) => instance));
  return {
    ...counts.figures(),
    last_round_at,
    spent: spentOf(purse),
    suspended: [...instances].map((instance) => {
      const own = in_force.filter((suspension) => suspension.instance === instance);
      return { instance, count: own.length };
    }),
  };
}
