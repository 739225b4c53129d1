import { join } from "node:path";

import type { Paths } from "../../app.ts";
import { configLocation, stateDirectory } from "../../config/paths.ts";
import type { Shell } from "../terminal/shell.ts";

export type Located =
  | { readonly ok: true; readonly paths: Paths; readonly notice: string | null }
  | { readonly ok: false; readonly problem: string };

/** Where config and state are; `flag` is what `--config` gave. Touches nothing. */
export function locate({ env, cwd }: Shell, flag?: string): Located {
  const state = stateDirectory(env, cwd);
  if (!state.ok) return { ok: false, problem: state.message };
  const { path, notice } = configLocation(env, { cwd, flag });
  return { ok: true, paths: { state_dir: state.path, config_file: path }, notice };
}

export function databaseFile({ state_dir }: Pick<Paths, "state_dir">): string {
  return join(state_dir, "veriroute.db");
}

export function lockFile({ state_dir }: Pick<Paths, "state_dir">): string {
  return join(state_dir, "serve.lock");
}
