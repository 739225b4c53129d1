import { join } from "node:path";

import type { Shell } from "../terminal/shell.ts";

/** `$XDG_CONFIG_HOME`, else `~/.config`; null without a home directory. */
export function userConfigDirectory(env: Shell["env"]): string | null {
  const set = env["XDG_CONFIG_HOME"] ?? "";
  return set === "" ? inHome(env, ".config") : set;
}

/** Null without a home directory. */
export function inHome(env: Shell["env"], ...names: readonly string[]): string | null {
  const home = env["HOME"] ?? "";
  return home === "" ? null : join(home, ...names);
}
