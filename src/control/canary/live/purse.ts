import {
  type BudgetLimits,
  type Purchase,
  reserve,
  settlePurchase,
  type Spending,
  spendingOf,
} from "../../../canary/spending/budget.ts";
import type { Charge } from "../../../canary/spending/probe-cost.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { ProbeCharge } from "../../../store/canary-store.ts";

/** What may still be spent today. */
export interface Purse {
  /** Takes over what earlier processes spent. */
  fill(charges: readonly ProbeCharge[]): void;
  /** Sets the most that a probe can cost aside; the limit that forbids it, or null. */
  take(purchase: Purchase): keyof BudgetLimits | null;
  /** Puts back what it did not cost. */
  giveBack(
    purchase: Purchase,
    paid: { readonly actual: Charge; readonly reserved_at: number },
  ): void;
  /** Of today, UTC. */
  spent(): Spending["by_instance"];
}

export function createPurse(clock: Pick<Clock, "now">, limits: () => BudgetLimits): Purse {
  let spending = spendingOf([], clock.now());
  return {
    fill: (charges) => void (spending = spendingOf(charges, clock.now())),
    take(purchase) {
      const reservation = reserve(spending, purchase, limits(), clock.now());
      if (!reservation.ok) return reservation.limit;
      ({ spending } = reservation);
      return null;
    },
    giveBack: (purchase, paid) => void (spending = settlePurchase(spending, purchase, paid)),
    spent: () => {
      const { day } = spendingOf([], clock.now());
      return spending.day === day ? spending.by_instance : new Map();
    },
  };
}
