import type { Log } from "../../telemetry/log.ts";
import { planTick, type TickSettings } from "../policy/tick.ts";
import { carryOutAction, type CarryOutDependencies } from "./carry-out.ts";
import type { Kept } from "./kept.ts";
import type { Listings } from "./listings.ts";
import type { Roster } from "./roster.ts";

export interface TickDependencies extends CarryOutDependencies {
  readonly roster: Roster;
  readonly settings: () => TickSettings;
  /** Writes what the disk has not taken of a lease, if it does now. Never rejects. */
  readonly catchUp: (name: string) => Promise<void>;
  readonly takeOver: () => Promise<void>;
  readonly listings: Pick<Listings, "askIfNeeded">;
  readonly log: Pick<Log, "error">;
}

/** One look at everything. What fails in it is logged: the next one comes whatever happens. */
export function createTick(dependencies: TickDependencies): () => Promise<void> {
  const { roster, settings, catchUp, takeOver, listings, log } = dependencies;
  return async () => {
    try {
      const time = roster.advance();
      for (const action of planTick(roster.all().map(roster.view), time, settings())) {
        const one = roster.get(action.lease.name);
        if (one !== undefined) carryOutAction(dependencies, one, action);
      }
      for (const one of roster.all()) saveActivity(dependencies, one);
      for (const { lease } of roster.all()) await catchUp(lease.name);
      await takeOver();
      listings.askIfNeeded();
    } catch (error) {
      log.error({ err: error }, "a tick of the supervisor failed; the next one comes");
    }
  };
}

function saveActivity({ steps, tasks }: CarryOutDependencies, one: Kept): void {
  if (!one.unsaved || one.busy.has("save") || one.ending !== null) return;
  one.unsaved = false;
  const { last_activity_at, idle_deadline } = one.lease;
  tasks.begin(one, "save", () => steps.change(one, { last_activity_at, idle_deadline }));
}
