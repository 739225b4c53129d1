import { targetEndpoints } from "../canary/endpoints/watched-targets.ts";
import { EMPTY_FLEET } from "../canary/ladder/state.ts";
import { promptLocale } from "../canary/prompts/locales.ts";
import { planRound } from "../canary/rounds/plan-round.ts";
import { dryRun, estimateDay } from "../canary/spending/estimate.ts";
import { findCard } from "../catalog/find-card.ts";
import { mergeCard, SELF_HOSTED_FACTS } from "../catalog/merge-card.ts";
import type { ModelCard } from "../catalog/model-card.ts";
import { isSelfHosted } from "../catalog/self-hosted.ts";
import { systemClock } from "../lib/clock.ts";
import { parseDuration } from "../lib/durations.ts";
import { type CanarySection, USUAL_LOCALES } from "./schema-canary.ts";

/** A target that is to be watched, with the provider type of its instance. */
export interface WatchedSpec {
  readonly instance: string;
  readonly model: string;
  readonly type: string;
  /** The config calls the instance this site's own. */
  readonly local: boolean;
}

/** What a day of rounds comes to, as far as the router's own catalogue knows prices. */
export interface CanaryEstimate {
  readonly targets: number;
  readonly usual_usd: number;
  readonly worst_usd: number;
  readonly is_assumed: boolean;
}

/** Before anything was asked: a model behind a gateway counts as one host. Null without any target. */
export function estimateOf(
  { interval, locales, locales_per_round }: CanarySection,
  specs: readonly WatchedSpec[],
): CanaryEstimate | null {
  const hosting = new Map(specs.map(({ instance, ...rest }) => [instance, rest]));
  const endpoints = targetEndpoints(
    [{ name: "watched", targets: specs }],
    ({ instance, model }) => {
      const { type, local } = hosting.get(instance) ?? { type: instance, local: false };
      return cardOf({ type, model, local });
    },
  );
  const plan = planRound({
    round_n: 1,
    fleet: EMPTY_FLEET,
    endpoints: endpoints.map((endpoint) => ({ endpoint, use: "watched" as const })),
    controls: [],
    locales: (locales ?? USUAL_LOCALES).flatMap((tag) => promptLocale(tag) ?? []),
    locales_per_round,
    evidence: null,
  });
  const interval_ms = parseDuration(interval) ?? 0;
  if (plan.length === 0 || interval_ms <= 0) return null;
  const days = estimateDay(dryRun(plan, 1), interval_ms);
  return {
    targets: plan.length,
    usual_usd: days.reduce((sum, { usual }) => sum + usual.usd, 0),
    worst_usd: days.reduce((sum, { worst }) => sum + worst.usd, 0),
    is_assumed: days.some(({ is_assumed }) => is_assumed),
  };
}

function cardOf({ type, model, local }: Omit<WatchedSpec, "instance">): ModelCard {
  if (isSelfHosted({ type, model, local })) {
    return mergeCard([{ source: "self-hosted", facts: SELF_HOSTED_FACTS }]).card;
  }
  const found = findCard({ type, model }, systemClock.now());
  return mergeCard(found === undefined ? [] : [{ source: "bundled", facts: found.facts }]).card;
}
