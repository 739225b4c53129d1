import { isBilling } from "../lease.ts";
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
  return async (): Promise<void> => {
    for (const file of await leases.list()) {
      if (file.kind === "unreadable") {
        if (!told.has(file.name)) notify(`${unreadableNotice(file.name)} (${file.reason})`);
        told.add(file.name);
        continue;
      }
      const taken = roster.get(file.name) === undefined ? leases.lock(file.name) : null;
      if (taken?.kind !== "acquired") continue;
      roster.add(file.lease, taken.lock, { pending: true });
      if (isBilling(file.lease.phase)) notify(billingNotice(file.lease));
    }
  };
}
