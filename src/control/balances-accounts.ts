import type { Clock } from "../lib/clock.ts";
import type { Balance } from "../routing/signals.ts";
import { probeCalls } from "../upstream/balance.ts";
import type { Instance, InstanceRegistry } from "../upstream/instance.ts";

/** After this a balance says nothing any more. */
const TTL_MS = 3_600_000;

/** What is known of the money at an instance. */
export interface BalanceView {
  readonly instance: string;
  /**
   * `unknown`: asked, without an answer that still counts; `not_asked`: could be asked, was not;
   * `no_probe`: its vendor has nothing to ask.
   */
  readonly state: "known" | "unknown" | "not_asked" | "no_probe";
  readonly amount: number | null;
  readonly unit: Balance["unit"] | null;
  /** When it was learned, epoch ms. */
  readonly at: number | null;
  /** When the vendor was last asked, epoch ms. */
  readonly asked_at: number | null;
  /** Why the last answer told no balance, completing "`instance` …". */
  readonly reason: string | null;
}

/** One account at a vendor, as far as it is known. */
export interface Account {
  /** With another credential it is another account. */
  readonly instance: Instance;
  balance: Balance | null;
  /** On the clock's `elapsed`. */
  learned: number;
  asked_at: number | null;
  /** When to ask next, on the clock's `elapsed`. */
  due: number;
  reason: string | null;
  asking: Promise<void> | null;
}

interface AccountsDependencies {
  readonly registry: Pick<InstanceRegistry, "get">;
  readonly clock: Clock;
}

/** The accounts of the instances there are; one is forgotten once its instance becomes another. */
export function createAccounts({ registry, clock }: AccountsDependencies) {
  const accounts = new Map<string, Account>();

  const find = (instance: Instance): Account | undefined => {
    const account = accounts.get(instance.name);
    return account && isSame(account.instance, instance) ? account : undefined;
  };

  function of(instance: Instance): Account {
    const account = find(instance) ?? newAccount(instance);
    accounts.set(instance.name, account);
    return account;
  }

  function learn(account: Account, left: Pick<Balance, "amount" | "unit">): void {
    account.balance = { amount: left.amount, unit: left.unit, at: clock.now() };
    account.learned = clock.elapsed();
    account.reason = null;
  }

  const current = (account: Account | undefined): Balance | null =>
    account !== undefined && clock.elapsed() - account.learned < TTL_MS ? account.balance : null;

  return {
    of,
    learn,
    balanceOf(name: string): Balance | null {
      const instance = registry.get(name);
      return instance === undefined ? null : current(find(instance));
    },
    recordEmpty(name: string): void {
      const instance = registry.get(name);
      if (instance === undefined) return;
      const account = of(instance);
      learn(account, { amount: 0, unit: account.balance?.unit ?? "usd" });
    },
    view(instance: Instance): BalanceView {
      const account = find(instance);
      return viewOf(instance, account, current(account));
    },
  };
}

const newAccount = (instance: Instance): Account => ({
  instance,
  balance: null,
  learned: 0,
  asked_at: null,
  due: 0,
  reason: null,
  asking: null,
});

function isSame(a: Instance, b: Instance): boolean {
  return a.base_url === b.base_url && a.credential === b.credential && a.type.id === b.type.id;
}

function viewOf(
  instance: Instance,
  account: Account | undefined,
  balance: Balance | null,
): BalanceView {
  const { asked_at = null, reason = null } = account ?? {};
  const nothing = { instance: instance.name, amount: null, unit: null, at: null, asked_at, reason };
  if (balance !== null) {
    const { amount, unit, at } = balance;
    return { ...nothing, state: "known", amount, unit, at };
  }
  if (probeCalls(instance) === 0) return { ...nothing, state: "no_probe" };
  return { ...nothing, state: asked_at === null ? "not_asked" : "unknown" };
}
