import { join } from "node:path";

import { takesNoFiles } from "./disk-full.ts";
import type { StoredSession } from "./driver.ts";
import { createStandIns, sessionsIn, type StandInsDependencies, textAt } from "./stand-ins.ts";
import { type ColabStore, openColabStore, readEntry, removeColabStore } from "./store.ts";

/**
 * The stores of all runtimes. On a disk that is full, or takes nothing for another reason, the command can
 * neither be told which machine a name stands for nor be handed a script, so that a machine could not be
 * released and its watchdog would hear nothing. A store then has a stand-in elsewhere until its own disk
 * takes files again, or it holds no session any more.
 */
export interface Stores {
  /** The one in use, back on its own disk if that can be. Throws what the file system throws if there can be none. */
  readonly settle: (name: string) => ColabStore;
  /** Does something that writes to the one in use, and may be done twice. */
  readonly write: <T>(name: string, use: (store: ColabStore) => T) => T;
  /** The command itself could not write: what comes next uses a stand-in, if there can be one. */
  readonly leave: (name: string) => void;
  /** Removes a stand-in that holds no session. */
  readonly tidy: (name: string) => void;
  /** The session of that name in the one in use; touches nothing. */
  readonly entry: (name: string) => StoredSession | null;
  /** For what uses it beside everything else. */
  readonly open: (name: string) => ColabStore;
  /** Of its own, whatever is in use: keys lie there. */
  readonly directory: (name: string) => string;
  readonly remove: (name: string) => void;
}

/** `settle`, `write`, `leave`, `tidy` and `remove` only while no command uses the store. */
export function createStores(dependencies: StandInsDependencies): Stores {
  const standIns = createStandIns(dependencies);
  const own = (name: string) => openColabStore(dependencies, name);
  const directory = (name: string) => join(dependencies.root, name);

  function open(name: string): ColabStore {
    const standIn = standIns.get(name);
    if (standIn !== null) return standIn;
    try {
      return own(name);
    } catch (error) {
      return elsewhere(name, error);
    }
  }

  function elsewhere(name: string, reason: unknown): ColabStore {
    // What is wrong with the directory itself is nothing that another disk could mend.
    const standIn = takesNoFiles(reason) ? standIns.take(name) : null;
    if (standIn === null) throw reason;
    return standIn;
  }

  function entry(name: string): StoredSession | null {
    const sessions = standIns.get(name)?.sessions ?? sessionsIn(directory(name));
    return readEntry({ sessions }, name);
  }

  return {
    open,
    entry,
    settle(name) {
      const standIn = standIns.get(name);
      if (standIn === null) return open(name);
      const store = comeBack(() => own(name), { standIn, name });
      if (store !== null) standIns.discard(name);
      return store ?? standIn;
    },
    write(name, use) {
      const store = open(name);
      try {
        return use(store);
      } catch (error) {
        if (standIns.get(name) !== null) throw error;
        return use(elsewhere(name, error));
      }
    },
    leave: (name) => void standIns.take(name),
    tidy(name) {
      if (standIns.get(name) !== null && entry(name) === null) standIns.discard(name);
    },
    directory: (name) => unlessItFails(() => own(name).directory) ?? directory(name),
    remove(name) {
      standIns.discard(name);
      removeColabStore(dependencies, name);
    },
  };
}

/** What a stand-in says is newer; and a disk that takes it may be trusted again. Null where it does not. */
function comeBack(
  open: () => ColabStore,
  { standIn, name }: { readonly standIn: ColabStore; readonly name: string },
): ColabStore | null {
  return unlessItFails(() => {
    const store = open();
    const text = readEntry(standIn, name) === null ? null : textAt(standIn.sessions);
    store.write(store.sessions, text ?? "{}\n");
    return store;
  });
}

function unlessItFails<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
