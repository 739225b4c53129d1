import { isBilling, type Lease } from "../lease.ts";
import type { Leases } from "../leases/open-leases.ts";
import { billingNotice, unreadableNotice } from "../policy/words.ts";
import type { Roster } from "./roster.ts";

export interface TakeOverDependencies {
  readonly leases: Pick<Leases, "list" | "lock">;
  readonly roster: Roster;
  readonly notify: (text: string) => void;
}

/** Answers from now on for every lease whose lock is free, those of processes that died meanwhile too. */
export function createTakeOver({ leases, roster, notify }: TakeOverDependencies) {
  const told = new Set<string>();
  const tellOnce = (name: string, notice: string) => {
    if (!told.has(name)) notify(notice);
    told.add(name);
  };

  /** Null where another process answers for it, or where nobody can: the others are not to wait for that. */
  function lockOf({ name, phase, ...lease }: Lease) {
    try {
      const taken = leases.lock(name);
      return taken.kind === "acquired" ? taken.lock : null;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isBilling(phase)) tellOnce(name, `${billingNotice({ ...lease, name })}: ${reason}`);
      return null;
    }
  }

  return async (): Promise<void> => {
    for (const file of await leases.list()) {
      if (file.kind === "unreadable") {
        tellOnce(file.name, `${unreadableNotice(file.name)} (${file.reason})`);
        continue;
      }
      const lock = roster.get(file.name) === undefined ? lockOf(file.lease) : null;
      if (lock === null) continue;
      roster.add(file.lease, lock, { pending: true });
      if (isBilling(file.lease.phase)) notify(billingNotice(file.lease));
    }
  };
}
