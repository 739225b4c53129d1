import type { Paths } from "../../app.ts";
import { loadConfig, type LoadResult } from "../../config/layers.ts";
import type { ConfigProblem } from "../../config/problem.ts";
import { readSavedState, type SavedState } from "../../store/saved-state.ts";
import { StoreError } from "../../store/store-error.ts";
import type { Shell } from "../terminal/shell.ts";
import { databaseFile, locate } from "./locate.ts";

export interface ConfigRead {
  readonly ok: true;
  readonly paths: Paths;
  readonly result: LoadResult;
  /** What the database holds of what a config depends on; null if there is none or it cannot be read. */
  readonly saved: SavedState | null;
  /** Why the database could not be read; null if it was, or there is none. */
  readonly database_problem: ConfigProblem | null;
}

/**
 * The config as a server on this state directory would read it: stored keys count, since a bind
 * beyond loopback depends on them, and stored profiles, since the file may name one; config values
 * set through the API do not. Fails only without a home.
 */
export function readConfig(
  shell: Shell,
  flag?: string,
): ConfigRead | { readonly ok: false; readonly problem: string } {
  const located = locate(shell, flag);
  if (!located.ok) return located;
  const { paths } = located;
  const { saved, problem } = readSaved(databaseFile(paths));
  const result = loadConfig({
    path: paths.config_file,
    env: shell.env,
    overrides: {},
    keyScopes: saved?.scopes ?? new Set(),
    ...(saved && { storedProfiles: saved.profiles }),
  });
  return { ok: true, paths, result, saved, database_problem: problem };
}

/** A database that cannot be read says nothing about the config: it is as if there were none. */
function readSaved(path: string): {
  readonly saved: SavedState | null;
  readonly problem: ConfigProblem | null;
} {
  try {
    return { saved: readSavedState(path), problem: null };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { message } = error;
    const problem = { source: "database", line: null, column: null, path: "", message, hint: null };
    return { saved: null, problem };
  }
}
