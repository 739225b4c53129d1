import { promptLocale } from "../../../canary/prompts/locales.ts";
import type { CanaryMode } from "../../../canary/rows.ts";
import type { BudgetLimits } from "../../../canary/spending/budget.ts";
import { USUAL_LOCALES } from "../../../config/schema-canary.ts";
import type { Config } from "../../../config/schema.ts";
import { parseDuration } from "../../../lib/durations.ts";

/** The section of the config as values; the loader has refused what cannot be read. */
export interface CanarySettings {
  readonly mode: CanaryMode;
  /** `instance:model` or `pool:name`. */
  readonly models: readonly string[];
  readonly interval_ms: number;
  readonly limits: BudgetLimits;
  /** Codes of languages that there are prompts in. */
  readonly locales: readonly string[];
  readonly locales_per_round: number;
  /** `instance:model` or `instance:model@host`. */
  readonly controls: readonly string[];
  readonly is_passive_first: boolean;
}

export function canarySettings({ canary }: Pick<Config, "canary">): CanarySettings {
  const { mode, models, controls, locales_per_round } = canary;
  return {
    mode,
    models,
    controls,
    locales_per_round,
    interval_ms: parseDuration(canary.interval) ?? 0,
    limits: {
      usd_per_day: canary.max_usd_per_day ?? 0,
      usd_per_provider: canary.max_usd_per_provider ?? null,
      tokens_per_provider: canary.max_tokens_per_provider ?? null,
    },
    locales: [
      ...new Set((canary.locales ?? USUAL_LOCALES).flatMap((tag) => promptLocale(tag) ?? [])),
    ],
    is_passive_first: canary.passive_first,
  };
}
