import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type ColabStore, openColabStore, type StoreDependencies } from "./store.ts";

export interface StandInsDependencies extends StoreDependencies {
  /** Where they may be, in this order; by default where this computer keeps what is temporary. */
  readonly shelters?: readonly string[];
}

/** Stores elsewhere, as private as those they stand for, while the disk of those takes no files. */
export interface StandIns {
  /** Null where none is in use. */
  readonly get: (name: string) => ColabStore | null;
  /** Made if need be, with the sessions that are known; null where no place takes one. */
  readonly take: (name: string) => ColabStore | null;
  readonly discard: (name: string) => void;
}

interface StandIn {
  readonly root: string;
  readonly store: ColabStore;
}

export function createStandIns(dependencies: StandInsDependencies): StandIns {
  const standIns = new Map<string, StandIn>();
  return {
    get: (name) => standIns.get(name)?.store ?? null,
    take(name) {
      const standIn = standIns.get(name) ?? makeStandIn(dependencies, name);
      if (standIn !== null) standIns.set(name, standIn);
      return standIn?.store ?? null;
    },
    discard(name) {
      const { root } = standIns.get(name) ?? {};
      standIns.delete(name);
      if (root !== undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

function makeStandIn(dependencies: StandInsDependencies, name: string): StandIn | null {
  for (const place of dependencies.shelters ?? [tmpdir(), "/dev/shm"]) {
    try {
      return standInAt(dependencies, name, mkdtempSync(join(place, "veriroute-colab-")));
    } catch {
      // The next place may take it.
    }
  }
  return null;
}

function standInAt(dependencies: StandInsDependencies, name: string, root: string): StandIn {
  try {
    const store = openColabStore({ ...dependencies, root }, name);
    const known = textAt(sessionsIn(join(dependencies.root, name)));
    if (known !== null) store.write(store.sessions, known);
    return { root, store };
  } catch (error) {
    rmSync(root, { recursive: true, force: true });
    throw error;
  }
}

/** Where the command keeps its sessions in a store. */
export const sessionsIn = (directory: string) => join(directory, "sessions.json");

/** Null where it cannot be read. */
export function textAt(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
