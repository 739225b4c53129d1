import type { Log } from "../telemetry/log.ts";
import type { ColabDriver } from "./colab/driver.ts";
import type { Lease } from "./lease.ts";
import type { LeaseChange } from "./leases/change-lease.ts";
import type { Leases } from "./leases/open-leases.ts";
import type { Pause } from "./pause.ts";
import { deadlineState } from "./policy/deadlines.ts";
import type { RuntimeSettings } from "./policy/settings.ts";
import { TICK_MS } from "./policy/tick.ts";
import type { ReleaseOutcome } from "./release-runtime.ts";
import type { Attachments } from "./supervision/attachments.ts";
import { type Kept, noteActivity } from "./supervision/kept.ts";
import { leave } from "./supervision/leave.ts";
import { createListings } from "./supervision/listings.ts";
import { createRoster, type Roster, type RosterDependencies } from "./supervision/roster.ts";
import { createSteps, type Steps } from "./supervision/steps.ts";
import { createTakeOver } from "./supervision/take-over.ts";
import { createTasks } from "./supervision/tasks.ts";
import { createTick } from "./supervision/tick-once.ts";
import { createUpkeep } from "./supervision/upkeep.ts";

export interface SupervisorDependencies extends RosterDependencies {
  readonly leases: Leases;
  readonly driver: Pick<ColabDriver, "list" | "stop" | "adopt" | "entry" | "stored" | "forget">;
  readonly attachments: Attachments;
  /** As the config has them now. */
  readonly settings: () => Pick<RuntimeSettings, "liveness_ms" | "heartbeat_ms" | "on_exit">;
  readonly pause: Pause;
  readonly log: Pick<Log, "info" | "error">;
  /** Told what must not be overlooked: what costs money and is not as it should be, and warnings. */
  readonly notify: (text: string) => void;
}

export interface Supervisor {
  /** Looks at every lease on disk; nothing may be rented before it has settled. */
  readonly start: () => Promise<void>;
  /** One look at everything; starts what is due and waits for none of it. Never rejects. */
  readonly tick: () => Promise<void>;
  /** Ticks until the signal. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** Answers for a runtime from now on: with its first lease, before Colab is asked. */
  readonly watch: (lease: Lease, lock: Kept["lock"]) => void;
  /** The lease of a runtime that this process answers for and that does not end; null for any other. */
  readonly find: (name: string) => Lease | null;
  /** Changes such a lease, on disk too; null if there is none. */
  readonly change: (name: string, change: LeaseChange) => Promise<Lease | null>;
  /** What is known of its machine now; taken down while it ends, too, and dropped once nobody answers for it. */
  readonly record: (lease: Lease, change: LeaseChange) => Promise<void>;
  /** Until its machine must be gone, by the deadlines that never move; 0 for one that is not ours. */
  readonly secondsLeft: (name: string) => number;
  readonly noteActivity: (name: string, kind: "start" | "end") => void;
  /** One attempt; null if this process does not answer for it. */
  readonly release: (
    name: string,
    request: {
      readonly why: string;
      /** It has done what it was rented for, though it never was ready to serve. */
      readonly is_done?: boolean;
    },
  ) => Promise<ReleaseOutcome | null>;
  readonly leases: () => readonly Lease[];
  /**
   * Leaves or releases every runtime, as `runtimes.on_exit` says, until the limit. What it gives back
   * are the notices of those that may still cost money.
   */
  readonly close: (limit: AbortSignal) => Promise<readonly string[]>;
  /** Settles once nothing that was started is under way. */
  readonly settled: () => Promise<void>;
}

/** Keeps the deadlines of every runtime whose lock it holds. */
export function createSupervisor(dependencies: SupervisorDependencies): Supervisor {
  const { leases, driver, attachments, settings, pause, log, notify } = dependencies;
  const roster = createRoster(dependencies);
  const tasks = createTasks(log);
  const { clock, drop } = roster;
  const steps = createSteps({ leases, driver, attachments, clock, pause, log, drop });
  const leaveTo = async (kept: Kept) => {
    await attachments.close(kept.lease.name);
    drop(kept);
  };
  const settleOver = (kept: Kept, ended: Lease) => tasks.spawn(() => steps.settleOver(kept, ended));
  const takeOver = createTakeOver({ leases, roster, notify, leaveTo, settleOver });
  const upkeep = createUpkeep({ attachments, steps, clock, notify });
  const carrying = { steps, upkeep, tasks, notify };
  const listings = createListings({ ...carrying, leases, driver, roster });
  const leaving = { roster, steps, attachments, settings, pause, log, notify };
  const { catchUp } = leases;
  const tick = createTick({ ...carrying, roster, settings, catchUp, takeOver, listings, log });

  let found = Promise.resolve();
  const lookAround = async () => {
    await leases.sweep();
    await takeOver();
  };

  return {
    ...callsByName(roster, steps),
    tick,
    leases: () => roster.all().map(({ lease }) => lease),
    settled: tasks.settled,
    async start() {
      found = lookAround();
      await found;
      if (roster.all().length === 0) return;
      // What is overdue is released before Colab is asked anything else.
      for (const one of roster.all()) await listings.examine(one);
      await listings.first();
    },
    async run(signal) {
      while (!signal.aborted) {
        await tick();
        await pause(TICK_MS, signal);
      }
    },
    watch: (lease, lock) => void roster.add(lease, lock, { pending: false }),
    async close(limit) {
      // What is about to be answered for may cost money, too.
      await found.catch(() => undefined);
      const notices = await Promise.all(roster.all().map((one) => leave(leaving, one, limit)));
      return notices.filter((notice) => notice !== null);
    },
  };
}

type CallsByName = Pick<
  Supervisor,
  "find" | "change" | "record" | "secondsLeft" | "noteActivity" | "release"
>;

/** What is asked of one runtime by its name. */
function callsByName(roster: Roster, steps: Steps): CallsByName {
  const find = (name: string) => {
    const one = roster.get(name);
    const isEnding = one === undefined || one.ending !== null || one.lease.phase === "stopping";
    return isEnding ? undefined : one;
  };
  return {
    find: (name) => find(name)?.lease ?? null,
    async change(name, change) {
      const one = find(name);
      if (one === undefined) return null;
      await steps.change(one, change);
      return find(name)?.lease ?? null;
    },
    async record({ name, lease_id }, change) {
      const one = roster.get(name);
      if (one?.lease.lease_id === lease_id) await steps.change(one, change);
    },
    secondsLeft(name) {
      const one = roster.get(name);
      if (one === undefined) return 0;
      const { hard, max_cu } = deadlineState(roster.view(one), roster.peek()).left;
      return Math.max(Math.min(hard ?? 0, max_cu ?? Infinity), 0) / 1000;
    },
    noteActivity(name, kind) {
      const one = roster.get(name);
      if (one !== undefined) noteActivity(one, kind, roster.clock.now());
    },
    async release(name, { why, is_done = false }) {
      const one = roster.get(name);
      if (one === undefined) return null;
      if (is_done) one.ends_as = "stopped";
      return steps.release(one, why);
    },
  };
}
