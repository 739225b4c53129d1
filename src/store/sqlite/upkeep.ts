import type { Database } from "bun:sqlite";

import { storeErrorKind } from "../store-error.ts";
import type { StoredState } from "../store.ts";
import { checkpoint } from "./database.ts";
import type { DecisionTable } from "./decisions.ts";
import { noteSession } from "./recovery.ts";
import { readState } from "./settings.ts";
import type { Trouble } from "./trouble.ts";

/** How soon what another process wrote is noticed. */
const POLL_MS = 400;
const CHECKPOINT_MS = 60_000;

export interface UpkeepDependencies {
  readonly db: Database;
  readonly path: string;
  readonly decisions: DecisionTable;
  readonly trouble: Trouble;
  readonly tellState: (state: StoredState) => void;
}

export interface Upkeep {
  /** The keys and settings as read at the start. */
  readonly state: StoredState;
  /** Tells keys and settings if they changed since they were last told. */
  refresh(): void;
  stop(): void;
}

/** What the worker does unasked: settles the previous session, watches other processes, empties the log. */
export function startUpkeep(dependencies: UpkeepDependencies): Upkeep {
  const { db, path, decisions, trouble, tellState } = dependencies;
  const state = readState(db, path);
  let told = JSON.stringify(state);
  let version = dataVersion(db);
  // By row, not by time: a clock that was set back must not leave anything in progress for ever.
  const inherited = decisions.lastRow();
  const settle = () => begin(db, () => decisions.interruptUnfinished(inherited));
  let begun = settle();

  const refresh = ({ hasOtherWritten = false } = {}) => {
    const current = readState(db, path);
    const text = JSON.stringify(current);
    // Breakers are saved without being told, so what another process took away may look as before.
    if (text === told && !hasOtherWritten) return;
    told = text;
    tellState(current);
  };
  const poll = () => {
    if (!begun) begun = settle();
    const current = dataVersion(db);
    if (current === version) return;
    version = current;
    refresh({ hasOtherWritten: true });
  };
  const timers = [
    setInterval(() => trouble.watch(poll), POLL_MS),
    setInterval(() => trouble.watch(() => checkpoint(db)), CHECKPOINT_MS),
  ];
  return { state, refresh, stop: () => timers.forEach((timer) => clearInterval(timer)) };
}

/** Changes when another connection has written. */
function dataVersion(db: Database): number {
  return db.query<{ data_version: number }, []>("PRAGMA data_version").get()?.data_version ?? 0;
}

/** False if it has to be tried again: a lock or a full disk is no reason not to serve. */
function begin(db: Database, interruptUnfinished: () => void): boolean {
  try {
    db.transaction(() => {
      interruptUnfinished();
      noteSession(db, false);
    }).immediate();
    return true;
  } catch (error) {
    if (storeErrorKind(error) === "damaged" || storeErrorKind(error) === "failed") throw error;
    return false;
  }
}
