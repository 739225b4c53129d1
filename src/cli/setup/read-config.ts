import type { Paths } from "../../app.ts";
import { loadConfig, type LoadResult } from "../../config/layers.ts";
import { keyFile } from "../../store/keys.ts";
import type { Shell } from "../terminal/shell.ts";
import { databaseFile, locate } from "./locate.ts";

export interface ConfigRead {
  readonly ok: true;
  readonly paths: Paths;
  readonly result: LoadResult;
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
  const keys = keyFile(databaseFile(paths))
    .list()
    .filter(({ revoked_at }) => revoked_at === null);
  const result = loadConfig({
    path: paths.config_file,
    env: shell.env,
    overrides: {},
    keyScopes: new Set(keys.map(({ scope }) => scope)),
  });
  return { ok: true, paths, result };
}
