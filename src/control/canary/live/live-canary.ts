import type { EndpointState } from "../../../canary/ladder/state.ts";
import type { Config } from "../../../config/schema.ts";
import { once } from "../../../lib/memoize.ts";
import type { Random } from "../../../lib/random.ts";
import type { EventHub } from "../../../telemetry/events.ts";
import type { Log } from "../../../telemetry/log.ts";
import { loadLanguageScores } from "../../../verify/language/detector.ts";
import type { CanaryFigures, CanaryStatus, DryRun } from "../canary-status.ts";
import type { SuspensionBoard } from "../suspension-board.ts";
import { type AskerDependencies, createAsker } from "./ask.ts";
import { createBudgetNotice, createDayNotice } from "./budget-notice.ts";
import { createEvidence } from "./evidence.ts";
import { createEndpointFinder, type FinderDependencies } from "./find-endpoints.ts";
import { createFleetKeeper, type FleetKeeper, type KeeperDependencies } from "./fleet-keeper.ts";
import { createProbeCounts } from "./probe-counts.ts";
import { createPurse, type Purse } from "./purse.ts";
import { createRounds, type RunAnswer } from "./rounds.ts";
import { planDry, type RoundDependencies, runRound } from "./run-round.ts";
import { canarySettings } from "./settings.ts";
import { figuresOf, statusOf } from "./shown.ts";
import { createTripTrials, type TrialBreakers } from "./trip-trials.ts";

export interface LiveCanaryDependencies
  extends
    AskerDependencies,
    Omit<FinderDependencies, "lacksFormat" | "log" | "registry">,
    Omit<KeeperDependencies, "mode" | "clock" | "log" | "board">,
    TrialBreakers {
  readonly board: Pick<SuspensionBoard, "put" | "list">;
  readonly config: () => Config;
  readonly random: Random;
  readonly registry: FinderDependencies["registry"];
  readonly events: Pick<EventHub, "register">;
  readonly log: Pick<Log, "info" | "warn" | "error">;
}

/** The canary at work. Everything that stores rejects with `StoreError`. */
export interface LiveCanary {
  /** Takes over what the last process left, and plans the first round. */
  start(): Promise<void>;
  /** The config has changed. */
  reconfigure(): void;
  run(): RunAnswer;
  dryRun(): Promise<DryRun>;
  /** Undefined for an endpoint that is not known. */
  lift(endpoint: string, forgives: boolean): Promise<EndpointState | undefined>;
  status(): CanaryStatus;
  figures(): CanaryFigures;
  /** Ends a round under way, of which nothing follows. */
  stop(): Promise<void>;
}

export function createLiveCanary(dependencies: LiveCanaryDependencies): LiveCanary {
  const { clock, config, events } = dependencies;
  const settings = () => canarySettings(config());
  const stopping = new AbortController();
  const keeper = createFleetKeeper({ ...dependencies, mode: () => settings().mode });
  const purse = createPurse(clock, () => settings().limits);
  const evidence = createEvidence();
  const counts = createProbeCounts();
  const round = roundDependencies(dependencies, { keeper, purse, evidence, counts });
  const rounds = createRounds({
    ...dependencies,
    keeper,
    interval_ms: () => settings().interval_ms,
    async work(signal) {
      const isOver = await runRound(settings(), signal, round);
      if (isOver) counts.round();
      return isOver;
    },
  });
  const trials = createTripTrials({ ...dependencies, ...round, keeper, settings });
  let { interval_ms } = settings();
  let unregister: (() => void) | undefined;

  return {
    async start() {
      purse.fill(await keeper.load());
      unregister = events.register(evidence.sink);
      rounds.plan();
      trials.start();
    },
    reconfigure() {
      keeper.enforce();
      if (settings().interval_ms === interval_ms) return;
      ({ interval_ms } = settings());
      rounds.plan();
    },
    run: () => rounds.begin(),
    async dryRun() {
      const planned = await planDry(settings(), stopping.signal, round);
      return { ...planned, max_usd_per_day: config().canary.max_usd_per_day ?? null };
    },
    lift: (endpoint, forgives) => keeper.lift(endpoint, forgives),
    status: () => {
      const doing = { is_running: rounds.isRunning(), next_at: rounds.nextAt() };
      return statusOf(settings(), { keeper, purse, ...doing });
    },
    figures: () => figuresOf({ keeper, purse, counts, in_force: dependencies.board.list() }),
    async stop() {
      stopping.abort();
      unregister?.();
      await Promise.all([rounds.stop(), trials.stop()]);
    },
  };
}

interface Parts {
  readonly keeper: FleetKeeper;
  readonly purse: Purse;
  readonly counts: ReturnType<typeof createProbeCounts>;
}

function roundDependencies(
  dependencies: LiveCanaryDependencies,
  {
    keeper,
    purse,
    evidence,
    counts,
  }: Parts & { readonly evidence: ReturnType<typeof createEvidence> },
): RoundDependencies {
  const asker = createAsker(dependencies);
  const find = createEndpointFinder({
    ...dependencies,
    lacksFormat: (key) => asker.lacksFormat(key),
  });
  return {
    ...dependencies,
    keeper,
    purse,
    asker,
    find,
    scores: once(loadLanguageScores),
    evidence: () => evidence.take(),
    onProbe: ({ endpoint: { instance }, contract }, { result }) =>
      counts.probe({ instance, contract, result }),
    onBudget: createBudgetNotice(dependencies),
    onPlan: createDayNotice(dependencies),
  };
}
