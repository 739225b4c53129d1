import { isBilling, type Lease } from "../lease.ts";
import type { Leases } from "../leases/open-leases.ts";
import { tryLock, WITHOUT_LOCK } from "../leases/try-lock.ts";
import { billingNotice, unreadableNotice } from "../policy/words.ts";
import type { Kept } from "./kept.ts";
import type { Roster } from "./roster.ts";

export interface TakeOverDependencies {
  readonly leases: Pick<Leases, "list" | "lock">;
  readonly roster: Roster;
  readonly notify: (text: string) => void;
  /** Another process answers for it from now on. */
  readonly leaveTo: (kept: Kept) => Promise<void>;
  /** For what was proven to cost nothing as `end` has it, and only its file does not say so. */
  readonly settleOver: (kept: Kept, end: Lease) => void;
}

/** Answers from now on for every lease whose lock is free, those of processes that died meanwhile too. */
export function createTakeOver(dependencies: TakeOverDependencies) {
  const { leases, roster, notify, leaveTo, settleOver } = dependencies;
  const told = new Set<string>();
  const tellOnce = (name: string, notice: string) => {
    if (!told.has(name)) notify(notice);
    told.add(name);
  };

  function take(lease: Lease): void {
    const { name, phase } = lease;
    const end = roster.endOf(lease);
    const taken = tryLock(leases, name);
    if (taken.kind === "held") return;
    if (end !== null) {
      // Only its file is left, which has to wait while the disk takes nothing.
      if (taken.kind === "untakeable") return;
      settleOver(roster.add(lease, taken.lock, { pending: false }), end);
    } else if (taken.kind === "acquired") {
      roster.add(lease, taken.lock, { pending: true });
      if (isBilling(phase)) notify(billingNotice(lease));
    } else if (isBilling(phase)) {
      // It costs money all the same.
      roster.add(lease, WITHOUT_LOCK, { pending: true });
      tellOnce(name, `${billingNotice(lease)}: ${taken.reason}`);
    }
  }

  /** What is answered for without a lock gets one as soon as the disk takes it. */
  async function secure(one: Kept): Promise<void> {
    const taken = tryLock(leases, one.lease.name);
    if (taken.kind === "acquired") one.lock = taken.lock;
    if (taken.kind === "held") await leaveTo(one);
  }

  return async (): Promise<void> => {
    for (const file of await leases.list()) {
      const one = roster.get(file.name);
      if (file.kind === "unreadable") {
        tellOnce(file.name, `${unreadableNotice(file.name)} (${file.reason})`);
      } else if (one === undefined) take(file.lease);
      else if (one.lock === WITHOUT_LOCK && one.ending === null) await secure(one);
    }
  };
}
