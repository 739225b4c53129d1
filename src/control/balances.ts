import type { Config } from "../config/schema.ts";
import type { Clock } from "../lib/clock.ts";
import { parseDuration } from "../lib/durations.ts";
import type { Balance } from "../routing/signals.ts";
import type { Sink } from "../telemetry/events.ts";
import { probeBalance, probeCalls } from "../upstream/balance.ts";
import type { Fetch } from "../upstream/fetch.ts";
import type { Instance, InstanceRegistry } from "../upstream/instance.ts";
import type { RouterIdentity } from "../upstream/outbound-headers.ts";
import { type Account, type BalanceView, createAccounts } from "./balances-accounts.ts";

/** How often it is looked whether an instance is due. */
const TICK_MS = 5_000;
const HOUR_MS = 3_600_000;

export interface BalancesDependencies {
  readonly registry: InstanceRegistry;
  readonly config: () => Pick<Config, "balances" | "pools" | "routing">;
  readonly fetch: Fetch;
  readonly identity: RouterIdentity;
  readonly clock: Clock;
}

export interface Balances {
  start(): void;
  /** Ends timer and open calls. */
  stop(): void;
  /** Hears of attempts, to know which instances are in use. */
  readonly sink: Sink;
  /** The balance of an instance; null if it is not known or an hour old. */
  balanceOf(instance: string): Balance | null;
  /** A vendor refused a call for lack of money on the instance's own account: it holds nothing. */
  recordEmpty(instance: string): void;
  views(): readonly BalanceView[];
  /**
   * Asks one instance, or all that can be asked, whatever the timer says; the calls still count
   * against the hour's budget. Undefined if there is no such instance.
   */
  probeNow(instance?: string): Promise<readonly BalanceView[] | undefined>;
}

/**
 * Keeps balances current, within a budget of calls, for instances that were used within the last hour;
 * for all of them while a pool ranks by balance, since who is never asked would never be chosen.
 */
export function createBalances(dependencies: BalancesDependencies): Balances {
  const { registry, config, clock } = dependencies;
  const accounts = createAccounts(dependencies);
  const budget = createBudget(clock);
  const lastUsed = new Map<string, number>();
  const stopping = new AbortController();
  const probe = createProbe({ ...dependencies, accounts, budget, signal: stopping.signal });
  let timer: Timer | undefined;

  const isWanted = ({ name }: Instance): boolean =>
    ranksByBalance(config()) || clock.elapsed() - (lastUsed.get(name) ?? -Infinity) < HOUR_MS;

  function tick(): void {
    const { enabled, max_per_hour } = config().balances;
    if (!enabled) return;
    const now = clock.elapsed();
    const due = registry
      .list()
      .filter((instance) => canBeAsked(instance) && isWanted(instance))
      .filter((instance) => accounts.of(instance).due <= now)
      .toSorted((a, b) => accounts.of(a).due - accounts.of(b).due);
    for (const instance of due) {
      if (budget.spent() + probeCalls(instance) > max_per_hour) return;
      void probe(instance);
    }
  }

  return {
    start() {
      if (timer !== undefined || stopping.signal.aborted) return;
      timer = setInterval(tick, TICK_MS);
      timer.unref();
      tick();
    },
    stop() {
      clearInterval(timer);
      stopping.abort();
    },
    sink: {
      name: "balances",
      record(event) {
        if (event.kind === "attempt") lastUsed.set(event.instance, clock.elapsed());
      },
    },
    balanceOf: (name) => accounts.balanceOf(name),
    recordEmpty: (name) => accounts.recordEmpty(name),
    views: () => registry.list().map((instance) => accounts.view(instance)),
    async probeNow(name) {
      const named = name === undefined ? registry.list() : [registry.get(name)];
      const instances = named.filter((instance) => instance !== undefined);
      if (instances.length === 0 && name !== undefined) return undefined;
      await Promise.all(instances.filter(canBeAsked).map((instance) => probe(instance)));
      return instances.map((instance) => accounts.view(instance));
    },
  };
}

interface ProbeDependencies extends BalancesDependencies {
  readonly accounts: ReturnType<typeof createAccounts>;
  readonly budget: ReturnType<typeof createBudget>;
  readonly signal: AbortSignal;
}

/** One look at a time for an account: whoever comes later gets the answer that is under way. */
function createProbe(dependencies: ProbeDependencies) {
  const { accounts, budget, config, clock } = dependencies;

  async function ask(account: Account, instance: Instance): Promise<void> {
    const began = clock.elapsed();
    budget.spend(probeCalls(instance));
    account.due = began + (parseDuration(config().balances.interval) ?? HOUR_MS);
    account.asked_at = clock.now();
    const reading = await probeBalance({ ...dependencies, instance });
    // An account that turned out empty meanwhile was not yet so when the vendor looked.
    if (account.learned > began) return;
    if (reading.kind === "known") accounts.learn(account, reading);
    else account.reason = reading.reason;
  }

  return function probe(instance: Instance): Promise<void> {
    const account = accounts.of(instance);
    account.asking ??= ask(account, instance).finally(() => (account.asking = null));
    return account.asking;
  };
}

function canBeAsked(instance: Instance): boolean {
  return instance.problem === null && probeCalls(instance) > 0;
}

function ranksByBalance({ pools, routing }: Pick<Config, "pools" | "routing">): boolean {
  const strategies: readonly string[] = Object.values(pools).map(
    ({ strategy }) => strategy ?? routing.default_strategy,
  );
  return strategies.includes("most_credits");
}

/** Counts the calls of the last hour. */
function createBudget(clock: Clock) {
  let spendings: readonly { readonly at: number; readonly calls: number }[] = [];
  return {
    spent(): number {
      spendings = spendings.filter(({ at }) => clock.elapsed() - at < HOUR_MS);
      return spendings.reduce((sum, { calls }) => sum + calls, 0);
    },
    spend(calls: number): void {
      spendings = [...spendings, { at: clock.elapsed(), calls }];
    },
  };
}
