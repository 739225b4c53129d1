import { type BudgetLimits, dayOf } from "../../../canary/spending/budget.ts";
import type { Config } from "../../../config/schema.ts";
import type { HealthNotice } from "../../../health/notices.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../telemetry/log.ts";
import type { DryRun } from "../canary-status.ts";

interface NoticeDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly notify: (notice: HealthNotice) => void;
}

/** Tells once a day of each limit that was reached. */
export function createBudgetNotice({ clock, notify }: NoticeDependencies) {
  let told = new Set<string>();
  let day = 0;
  return (instance: string, limit: keyof BudgetLimits): void => {
    const today = dayOf(clock.now());
    if (today !== day) told = new Set();
    day = today;
    const name = CONFIG_KEYS[limit];
    const about = limit === "usd_per_day" ? name : `${name} ${instance}`;
    if (told.has(about)) return;
    told.add(about);
    notify({ kind: "canary_budget", instance, limit: name });
  };
}

const CONFIG_KEYS: Readonly<Record<keyof BudgetLimits, string>> = {
  usd_per_day: "max_usd_per_day",
  usd_per_provider: "max_usd_per_provider",
  tokens_per_provider: "max_tokens_per_provider",
};

interface DayDependencies {
  readonly config: () => Config;
  readonly log: Pick<Log, "info" | "warn">;
}

/** Says what a day of rounds costs, at first and when there is more or less to ask. */
export function createDayNotice({ config, log }: DayDependencies) {
  let known = -1;
  return (day: Omit<DryRun, "max_usd_per_day">): void => {
    const { probes, usual_usd_per_day, worst_usd_per_day } = day;
    const { max_usd_per_day = 0 } = config().canary;
    if (probes.length === known) return;
    known = probes.length;
    const costs = { questions: known, usual_usd_per_day, worst_usd_per_day, max_usd_per_day };
    if (usual_usd_per_day <= max_usd_per_day) log.info(costs, "what a day of the canary costs");
    else log.warn(costs, "a day of the canary costs more than it may; its last rounds ask nothing");
  };
}
