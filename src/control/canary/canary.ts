import type { SuspensionInForce } from "../../canary/ladder/in-force.ts";
import type { EndpointState } from "../../canary/ladder/state.ts";
import type { Config } from "../../config/schema.ts";
import type { CanaryFigures, CanaryStatus, DryRun } from "./canary-status.ts";
import type { LiveCanary, LiveCanaryDependencies } from "./live/live-canary.ts";
import type { RunAnswer } from "./live/rounds.ts";

/** The canary as the rest of the router sees it, at work or not. */
export interface Canary {
  /** Reads what is stored, so that suspensions are in force before anybody is served. */
  start(): Promise<void>;
  /** Follows a change of the config. */
  reconfigure(): void;
  /** What is kept from traffic at this moment. */
  suspensions(): readonly SuspensionInForce[];
  /** Null while it is off, or waits. */
  status(): CanaryStatus | null;
  /** It is enabled, but its state could not be read, which is tried again. */
  isWaiting(): boolean;
  figures(): CanaryFigures | null;
  /** Begins a round; null while it is off. */
  run(): RunAnswer | null;
  /** Works also while it is off, for who wants to know what it would cost. */
  dryRun(): Promise<DryRun>;
  /** Null while it is off, undefined for an endpoint that is not known. Rejects with `StoreError`. */
  lift(endpoint: string, forgives: boolean): Promise<EndpointState | null | undefined>;
  stop(): Promise<void>;
}

/**
 * Off, there is nothing but this: what asks, and the language detector that it needs, are loaded when
 * the config enables it.
 */
export function createCanary(dependencies: LiveCanaryDependencies): Canary {
  const { config, log, board } = dependencies;
  let live: LiveCanary | null = null;
  const retry = createRetry(() => void next());
  let last: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function load(): Promise<LiveCanary> {
    const { createLiveCanary } = await import("./live/live-canary.ts");
    return createLiveCanary(dependencies);
  }

  /** Brings what runs in line with the config of this moment. */
  async function settle(): Promise<void> {
    const isRetry = retry.take();
    const isWanted = config().canary.enabled && !isStopped;
    if (live !== null && isWanted) return live.reconfigure();
    if (live !== null) {
      const ended = live;
      live = null;
      await ended.stop();
      // Requests that are open while the router stops are still kept from whom they were.
      if (!isStopped) board.put([]);
      return;
    }
    if (!isWanted) return;
    const begun = await load();
    try {
      await begun.start();
      live = begun;
      log.info(shownSettings(config()), "the canary is on");
    } catch (error) {
      await begun.stop();
      if (!isRetry) log.error({ error: String(error) }, "the canary waits for its state");
      retry.plan();
    }
  }

  /** One change after the other, so that none overtakes the one before. */
  function next(): Promise<void> {
    last = last.then(settle).catch((error: unknown) => {
      log.error({ error: String(error) }, "the canary could not be switched");
    });
    return last;
  }

  return {
    start: next,
    reconfigure: () => void next(),
    suspensions: () => board.list(),
    status: () => live?.status() ?? null,
    isWaiting: () => retry.isPlanned(),
    figures: () => live?.figures() ?? null,
    run: () => live?.run() ?? null,
    dryRun: async () => (live ?? (await load())).dryRun(),
    lift: async (endpoint, forgives) => (live === null ? null : live.lift(endpoint, forgives)),
    stop() {
      isStopped = true;
      return next();
    },
  };
}

const RETRY_MS = 30_000;

/** One more try, some time after one that failed. */
function createRetry(again: () => void) {
  let timer: Timer | undefined;
  return {
    isPlanned: () => timer !== undefined,
    plan: () => void (timer = setTimeout(again, RETRY_MS).unref()),
    /** Calls off what is planned, or over; whether anything was. */
    take(): boolean {
      const wasPlanned = timer !== undefined;
      clearTimeout(timer);
      timer = undefined;
      return wasPlanned;
    },
  };
}

function shownSettings({ canary: { mode, models, interval, max_usd_per_day } }: Config) {
  return { mode, models, interval, max_usd_per_day };
}
