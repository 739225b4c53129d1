import type { Paths } from "../../app.ts";
import { loadConfig, type LoadResult } from "../../config/layers.ts";
import type { ConfigProblem } from "../../config/problem.ts";
import { readKeyScopes } from "../../store/keys.ts";
import { StoreError } from "../../store/store-error.ts";
import type { KeyScope } from "../../store/store.ts";
import type { Shell } from "../terminal/shell.ts";
import { databaseFile, locate } from "./locate.ts";

export interface ConfigRead {
  readonly ok: true;
  readonly paths: Paths;
  readonly result: LoadResult;
  /** Why the database could not be asked for keys; null if it was, or there is none. */
  readonly database_problem: ConfigProblem | null;
}

/**
 * The config as a server on this state directory would read it: its keys count, since a bind beyond
 * loopback depends on them; what was set through the API does not. Fails only without a home.
 */
export function readConfig(
  shell: Shell,
  flag?: string,
): ConfigRead | { readonly ok: false; readonly problem: string } {
  const located = locate(shell, flag);
  if (!located.ok) return located;
  const { paths } = located;
  const { scopes, problem } = keyScopes(databaseFile(paths));
  const result = loadConfig({
    path: paths.config_file,
    env: shell.env,
    overrides: {},
    keyScopes: scopes,
  });
  return { ok: true, paths, result, database_problem: problem };
}

/** A database that cannot be read says nothing about the config: without its keys there are none. */
function keyScopes(path: string): {
  readonly scopes: ReadonlySet<KeyScope>;
  readonly problem: ConfigProblem | null;
} {
  try {
    return { scopes: readKeyScopes(path), problem: null };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { message } = error;
    const problem = { source: "database", line: null, column: null, path: "", message, hint: null };
    return { scopes: new Set(), problem };
  }
}
