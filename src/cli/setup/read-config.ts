import type { LoadResult } from "../../config/layers.ts";
import type { Paths } from "../server/running-app.ts";
import type { Shell } from "../terminal/shell.ts";
import { locate } from "./locate.ts";

export interface ConfigRead {
  readonly ok: true;
  readonly paths: Paths;
  readonly result: LoadResult;
}

/**
 * The config as a server on this state directory would read it now: keys and stored settings count,
 * but nothing is made. Fails only where no state directory can be named or the store cannot be read.
 */
export async function readConfig(
  shell: Shell,
  flag?: string,
): Promise<ConfigRead | { readonly ok: false; readonly problem: string }> {
  const located = locate(shell, flag);
  if (!located.ok) return located;
  const { paths } = located;
  const [{ loadConfig }] = await Promise.all([import("../../config/layers.ts")]);
  const stored = { keys: [], overrides: {} };
  const result = loadConfig({
    path: paths.config_file,
    env: shell.env,
    overrides: stored.overrides,
    keyScopes: new Set(),
  });
  return { ok: true, paths, result };
}
