import type { Database } from "bun:sqlite";

import type { CanaryCalls } from "../canary-store.ts";
import { storeErrorKind } from "../store-error.ts";
import type { Call, CallName, Calls } from "../worker-messages.ts";
import { listProbes, listRounds, listSuspensions } from "./canary-rows.ts";
import {
  loadCanary,
  noteTold,
  observedSuspensions,
  pruneCanary,
  saveEvents,
  saveProbe,
  saveRound,
} from "./canary.ts";
import { checkpoint } from "./database.ts";
import type { DecisionTable } from "./decisions.ts";
import { addExclusion, dropTrip, listTrips, removeExclusion, saveTrip } from "./health.ts";
import { addAllowed, deleteProfile, removeAllowed, setProfile } from "./preferences.ts";
import { noteSession } from "./recovery.ts";
import { prune } from "./retention.ts";
import {
  addKey,
  deleteOverride,
  listAudit,
  revokeKey,
  setKeyProfile,
  setOverride,
} from "./settings.ts";
import { addMute, listTallies, removeMute, saveTallies } from "./tallies.ts";
import { countMangled, listVerifications } from "./verifications.ts";

/** Between two batches of a prune: what came in meanwhile is written. */
const PRUNE_PAUSE_MS = 5;

type Answers = {
  [Name in CallName]: (
    argument: Calls[Name]["takes"],
  ) => Calls[Name]["gives"] | Promise<Calls[Name]["gives"]>;
};

export interface AnswerDependencies {
  readonly db: Database;
  readonly decisions: DecisionTable;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly isDamaged: () => boolean;
  /** False while a check of the whole file is due. */
  readonly isChecked: () => boolean;
}

/** An answer that says no more than that it is done. */
const done =
  <T>(change: (argument: T) => void) =>
  (argument: T): null => {
    change(argument);
    return null;
  };

/** One function per call. Answers that are promises are waited for beside the work that follows. */
export function createAnswers(dependencies: AnswerDependencies) {
  const { db, decisions } = dependencies;
  const pruning = createPruning(dependencies);
  const answers: Answers = {
    list_decisions: (filter) => decisions.list(filter),
    get_decision: (id) => decisions.get(id),
    list_audit: (page) => listAudit(db, page),
    list_verifications: (filter) => listVerifications(db, filter),
    count_mangled: (since) => countMangled(db, since),
    add_key: done((key) => addKey(db, key)),
    revoke_key: ({ id, at }) => revokeKey(db, id, at),
    set_key_profile: ({ id, profile }) => setKeyProfile(db, id, profile),
    set_override: done(({ key, json }) => setOverride(db, key, json)),
    delete_override: (key) => deleteOverride(db, key),
    set_profile: done(({ name, json }) => setProfile(db, name, json)),
    delete_profile: (name) => deleteProfile(db, name),
    add_allowed: (target) => addAllowed(db, target),
    remove_allowed: (target) => removeAllowed(db, target),
    add_exclusion: done((exclusion) => addExclusion(db, exclusion)),
    remove_exclusion: (id) => removeExclusion(db, id),
    list_trips: () => listTrips(db),
    save_trip: done((trip) => saveTrip(db, trip)),
    drop_trip: done((trip) => dropTrip(db, trip)),
    list_tallies: () => listTallies(db),
    save_tallies: done((tallies) => saveTallies(db, tallies)),
    add_mute: done((mute) => addMute(db, mute)),
    remove_mute: (id) => removeMute(db, id),
    ...canaryAnswers(db),
    prune: (limits) => pruning.start(limits),
    close: async () => {
      await pruning.stop();
      if (!dependencies.isDamaged()) closeCleanly(db, dependencies.isChecked());
      db.close();
      return null;
    },
  };
  const answer = <Name extends CallName>(call: { name: Name; argument: Calls[Name]["takes"] }) =>
    answers[call.name](call.argument);
  return (call: Call) => answer(call);
}

function canaryAnswers(db: Database): Pick<Answers, keyof CanaryCalls> {
  return {
    load_canary: (wanted) => loadCanary(db, wanted),
    save_canary_probe: done((probe) => saveProbe(db, probe)),
    save_canary_round: done((rows) => saveRound(db, rows)),
    save_canary_events: done((events) => saveEvents(db, events)),
    note_canary_told: done((told) => noteTold(db, told)),
    list_canary_rounds: (filter) => listRounds(db, filter),
    list_canary_probes: (filter) => listProbes(db, filter),
    list_suspensions: (filter) => listSuspensions(db, filter),
    observed_suspensions: (since) => observedSuspensions(db, since),
    prune_canary: done((before) => pruneCanary(db, before)),
  };
}

/**
 * A full disk or a lock must not keep the process from ending: the next start checks the file then, as it does if
 * there was no time for it.
 */
function closeCleanly(db: Database, isChecked: boolean): void {
  try {
    if (isChecked) noteSession(db, true);
    checkpoint(db);
  } catch (error) {
    if (storeErrorKind(error) === "failed") throw error;
  }
}

/** One prune at a time; `stop` ends the running one after its batch. */
function createPruning({ db, decisions, pause }: AnswerDependencies) {
  let stopping = false;
  let last: Promise<unknown> = Promise.resolve();
  const breathe = async () => {
    await pause(PRUNE_PAUSE_MS);
    return !stopping;
  };
  return {
    start(limits: Calls["prune"]["takes"]): Promise<Calls["prune"]["gives"]> {
      const run = last.then(() => prune({ db, decisions, breathe }, limits));
      last = run.catch(() => undefined);
      return run;
    },
    async stop(): Promise<void> {
      stopping = true;
      await last;
    },
  };
}
