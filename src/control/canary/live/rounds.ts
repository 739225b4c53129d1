import type { Clock } from "../../../lib/clock.ts";
import type { Random } from "../../../lib/random.ts";
import type { CanaryStore } from "../../../store/canary-store.ts";
import type { Log } from "../../../telemetry/log.ts";
import type { FleetKeeper } from "./fleet-keeper.ts";
import { createRoundTimer } from "./round-timer.ts";

/** A round that was asked for. */
export interface RunAnswer {
  /** False if one was under way already. */
  readonly started: boolean;
  readonly round_n: number;
}

export interface Rounds {
  /** Plans the next one from when the last ended. */
  plan(): void;
  begin(): RunAnswer;
  isRunning(): boolean;
  /** Epoch ms; null if none is planned. */
  nextAt(): number | null;
  /** Settles when a round under way has ended, of which nothing follows. */
  stop(): Promise<void>;
}

interface RoundsDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Pick<Log, "error">;
  readonly store: { readonly canary: Pick<CanaryStore, "prune"> };
  readonly keeper: Pick<FleetKeeper, "fleet">;
  readonly interval_ms: () => number;
  /** False if it was stopped or had nobody to ask. */
  readonly work: (signal: AbortSignal) => Promise<boolean>;
}

/** Rounds and probes are looked at for so long; what follows from them is kept for good. */
const KEPT_MS = 30 * 86_400_000;

/** One round at a time, when it is due or somebody asks for it. */
export function createRounds(dependencies: RoundsDependencies): Rounds {
  const { clock, log, store, keeper, work } = dependencies;
  const stopping = new AbortController();
  const timer = createRoundTimer({ ...dependencies, onDue: () => void begin() });
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    const started_at = clock.now();
    try {
      const isOver = await work(stopping.signal);
      if (isOver) await store.canary.prune(clock.now() - KEPT_MS);
    } catch (error) {
      log.error({ error: String(error) }, "a round of the canary could not be kept");
    }
    running = null;
    if (!stopping.signal.aborted) timer.plan(started_at);
  }

  function begin(): RunAnswer {
    const round_n = keeper.fleet().last_round_n + 1;
    const started = running === null && !stopping.signal.aborted;
    if (started) running = run();
    return { started, round_n };
  }

  return {
    plan: () => {
      if (running === null) timer.plan(keeper.fleet().last_round_at);
    },
    begin,
    isRunning: () => running !== null,
    nextAt: () => timer.nextAt(),
    async stop() {
      stopping.abort();
      timer.stop();
      await running;
    },
  };
}
