import type { Fleet } from "../../../canary/ladder/state.ts";
import { finishRound } from "../../../canary/rounds/finish-round.ts";
import type { LiveEvidenceIndex } from "../../../canary/rounds/passive.ts";
import { type PlannedEndpoint, planRound } from "../../../canary/rounds/plan-round.ts";
import { dryRun, estimateDay } from "../../../canary/spending/estimate.ts";
import type { LanguageScores } from "../../../verify/language/detector.ts";
import type { DryRun } from "../canary-status.ts";
import type { FoundEndpoints } from "./find-endpoints.ts";
import type { FleetKeeper } from "./fleet-keeper.ts";
import { inTurns } from "./in-turns.ts";
import { questionEndpoint, type QuestioningDependencies } from "./question.ts";
import type { CanarySettings } from "./settings.ts";

export interface RoundDependencies extends QuestioningDependencies {
  readonly keeper: Pick<FleetKeeper, "fleet" | "catchUp" | "endRound">;
  readonly find: (
    settings: CanarySettings,
    fleet: Fleet,
    signal: AbortSignal,
  ) => Promise<FoundEndpoints>;
  readonly scores: () => Promise<LanguageScores>;
  readonly evidence: () => LiveEvidenceIndex;
  readonly newId: () => string;
  /** Told what is about to be asked. */
  readonly onPlan: (day: DayCost) => void;
}

/**
 * One pass over everything that is watched: find it, ask it, store how it came out, act. False if it
 * was stopped, which leaves no rows. Rejects with `StoreError`.
 */
export async function runRound(
  settings: CanarySettings,
  signal: AbortSignal,
  dependencies: RoundDependencies,
): Promise<boolean> {
  const { clock, keeper, find, newId } = dependencies;
  await keeper.catchUp();
  const started_at = clock.now();
  const evidence = dependencies.evidence();
  const fleet = keeper.fleet();
  const plan = planOf(settings, fleet, await find(settings, fleet, signal), evidence);
  dependencies.onPlan(dayCost(plan, fleet, settings));
  const [round_id, round_n] = [newId(), fleet.last_round_n + 1];
  const round = { round_id, round_n, scores: await dependencies.scores(), signal };
  const probed = await inTurns(plan, (one) => questionEndpoint(one, round, dependencies));
  if (signal.aborted || probed.length === 0) return false;
  const { mode, interval_ms } = settings;
  const head = { round_id, round_n, mode, interval_ms, started_at, ended_at: clock.now() };
  await keeper.endRound(finishRound(head, probed, keeper.fleet().strength));
  return true;
}

function planOf(
  { locales, locales_per_round, is_passive_first }: CanarySettings,
  fleet: Fleet,
  { endpoints, controls }: FoundEndpoints,
  evidence: LiveEvidenceIndex,
): readonly PlannedEndpoint[] {
  return planRound({
    round_n: fleet.last_round_n + 1,
    fleet,
    endpoints,
    controls,
    locales,
    locales_per_round,
    evidence: is_passive_first ? evidence : null,
  });
}

const NO_EVIDENCE: LiveEvidenceIndex = new Map();

/** What the next round would send, as if nothing could be left out of it. */
export async function planDry(
  settings: CanarySettings,
  signal: AbortSignal,
  {
    keeper,
    find,
  }: Pick<RoundDependencies, "find"> & { readonly keeper: Pick<FleetKeeper, "fleet"> },
): Promise<DayCost> {
  const fleet = keeper.fleet();
  const found = await find(settings, fleet, signal);
  return dayCost(planOf(settings, fleet, found, NO_EVIDENCE), fleet, settings);
}

type DayCost = Omit<DryRun, "max_usd_per_day">;

function dayCost(
  plan: readonly PlannedEndpoint[],
  fleet: Fleet,
  settings: Pick<CanarySettings, "interval_ms">,
): DayCost {
  const probes = dryRun(plan, fleet.last_round_n + 1);
  const day = estimateDay(probes, settings.interval_ms);
  return {
    probes,
    day,
    usual_usd_per_day: day.reduce((sum, { usual }) => sum + usual.usd, 0),
    worst_usd_per_day: day.reduce((sum, { worst }) => sum + worst.usd, 0),
  };
}
