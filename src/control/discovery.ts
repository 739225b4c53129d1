import { createLocalDiscovery, type LocalDiscoveryDependencies } from "../upstream/discovery.ts";
import {
  createListingRefresh,
  type ListingRefreshDependencies,
} from "../upstream/listing-refresh.ts";

/** How often it is looked whether something is due. */
const TICK_MS = 5_000;
const LOCAL_INTERVAL_MS = 30_000;
/** Longest that anyone is kept waiting for the first round. */
const FIRST_ROUND_MS = 1_000;

export type DiscoveryDependencies = LocalDiscoveryDependencies & ListingRefreshDependencies;

export interface Discovery {
  /** Begins beside whatever else starts; nothing waits for it. */
  start(): void;
  /** Resolves when the first round is over, at the latest one second after `start`. */
  readonly firstRound: Promise<void>;
  /** Looks at once, for after a reload; resolves when everything due has answered. */
  refresh(): Promise<void>;
  /** Ends timers and open calls. */
  stop(): void;
}

/** Keeps the registry's local finds and listings current, on timers that hold no process open. */
export function createDiscovery(dependencies: DiscoveryDependencies): Discovery {
  const { clock, routing, registry } = dependencies;
  const lookForServers = createLocalDiscovery(dependencies);
  const refreshListings = createListingRefresh(dependencies);
  const stopping = new AbortController();
  const { promise: firstRound, resolve: endFirstRound } = Promise.withResolvers<void>();
  let timer: Timer | undefined;
  let local: Promise<void> | undefined;
  let localDue = 0;

  /** One look at a time: a second one would count a slow server as silent twice. */
  function lookLocally(): Promise<void> {
    localDue = clock.elapsed() + LOCAL_INTERVAL_MS;
    local ??= lookForServers(stopping.signal).finally(() => (local = undefined));
    return local;
  }

  function forgetLocal() {
    for (const { name, source } of registry.list()) if (source === "local") registry.remove(name);
  }

  async function round({ now }: { readonly now: boolean }): Promise<void> {
    if (stopping.signal.aborted) return;
    const looks = [refreshListings(stopping.signal)];
    if (!routing().discover_local) forgetLocal();
    else if (now || clock.elapsed() >= localDue) looks.push(lookLocally());
    await Promise.all(looks);
  }

  return {
    firstRound,
    start() {
      if (timer !== undefined || stopping.signal.aborted) return;
      timer = setInterval(() => void round({ now: false }), TICK_MS);
      timer.unref();
      setTimeout(endFirstRound, FIRST_ROUND_MS).unref();
      void round({ now: true }).finally(endFirstRound);
    },
    refresh: () => round({ now: true }),
    stop() {
      clearInterval(timer);
      stopping.abort();
      endFirstRound();
    },
  };
}
