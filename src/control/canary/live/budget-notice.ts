import type { BudgetLimits } from "../../../canary/spending/budget.ts";
import type { HealthNotice } from "../../../health/notices.ts";
import type { Clock } from "../../../lib/clock.ts";

interface NoticeDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly notify: (notice: HealthNotice) => void;
}

const DAY_MS = 86_400_000;

/** Tells once a day of each limit that was reached. */
export function createBudgetNotice({ clock, notify }: NoticeDependencies) {
  let told = new Set<string>();
  let day = 0;
  return (instance: string, limit: keyof BudgetLimits): void => {
    const today = Math.floor(clock.now() / DAY_MS);
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
