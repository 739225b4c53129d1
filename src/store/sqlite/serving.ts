import { type StoreError, storeErrorKind } from "../store-error.ts";
import type { StoredState } from "../store.ts";
import type { FromWorker } from "../worker-messages.ts";
import { createAnswers } from "./answers.ts";
import { createBatchWriter } from "./batch-writer.ts";
import { databaseSize } from "./database.ts";
import { createDecisionTable } from "./decisions.ts";
import { damageFound, type OpenedDatabase, openOrReplace, replaceDamaged } from "./recovery.ts";
import { createTrouble } from "./trouble.ts";
import { startUpkeep } from "./upkeep.ts";

interface ServingDependencies {
  readonly path: string;
  /** When it was opened, epoch ms; names a file that is set aside. */
  readonly now: number;
  readonly post: (message: FromWorker) => void;
}

/** An open database and what works on it. */
export type Serving = ReturnType<typeof serve>;

/** The database that serves, which may be another one after damage was found. */
export interface Served {
  current(): Serving;
  /**
   * Replaces a database that turns out damaged before the check of the whole file is done: the outcome is the one of a
   * check at the start. False if it was no damage, was met later, or no fresh database could be made.
   */
  isRepaired(failure: StoreError | null): boolean;
  /** What is wrong with the whole file; null if nothing is. */
  checked(damage: string | null): void;
}

/** Throws `StoreError`. */
export function openServed(dependencies: ServingDependencies): Served {
  const { path, now, post } = dependencies;
  let current = serveSound(openOrReplace(path, now), dependencies);

  const replace = (): boolean => {
    current.upkeep.stop();
    current.noteChecked();
    try {
      current = serve(replaceDamaged(path, now, current.db), dependencies);
    } catch (error) {
      current.trouble.set(damageFound(path, error));
      return false;
    }
    post({ kind: "replaced", problem: current.problem, size_bytes: current.size() });
    post({ kind: "state", state: current.upkeep.state });
    return true;
  };
  return {
    current: () => current,
    isRepaired: (failure) => failure?.kind === "damaged" && !current.isChecked() && replace(),
    checked(damage) {
      if (current.isChecked()) return;
      current.noteChecked();
      if (damage !== null) replace();
    },
  };
}

/** What is read first may be damaged in a file that was not checked whole. */
function serveSound(opened: OpenedDatabase, dependencies: ServingDependencies): Serving {
  try {
    return serve(opened, dependencies);
  } catch (error) {
    if (!opened.unchecked || storeErrorKind(error) !== "damaged") throw error;
    const { path, now } = dependencies;
    return serve(replaceDamaged(path, now, opened.db), dependencies);
  }
}

function serve({ db, problem, unchecked }: OpenedDatabase, { path, post }: ServingDependencies) {
  let isChecked = !unchecked;
  let { size_bytes } = databaseSize(db);
  const decisions = createDecisionTable(db);
  const trouble = createTrouble(path, (refusal) => post({ kind: "trouble", refusal }));
  const tellState = (state: StoredState) => post({ kind: "state", state });
  const about = { db, decisions, pause: Bun.sleep };
  return {
    db,
    problem,
    trouble,
    upkeep: startUpkeep({ db, path, decisions, trouble, tellState }),
    writeBatch: createBatchWriter(about),
    answers: createAnswers({
      ...about,
      isDamaged: trouble.isDamaged,
      isChecked: () => isChecked,
    }),
    size: () => size_bytes,
    tellSize: () => {
      const before = size_bytes;
      ({ size_bytes } = databaseSize(db));
      if (size_bytes !== before) post({ kind: "size", size_bytes });
    },
    isChecked: () => isChecked,
    noteChecked: () => {
      isChecked = true;
    },
  };
}
