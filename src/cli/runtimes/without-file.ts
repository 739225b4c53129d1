import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { LEASE_NAME } from "../../runtimes/lease.ts";
import { leaseDirectory } from "../../runtimes/places.ts";
import type { Shell } from "../terminal/shell.ts";
import type { OwnRuntimes } from "./own.ts";

/** Names what a living process answers for though no file says what it is, so that a list of files is not taken for all. */
export function sayWithoutFile(
  { state_dir, watcherOf }: Pick<OwnRuntimes, "state_dir" | "watcherOf">,
  shell: Pick<Shell, "complain">,
): void {
  const directory = leaseDirectory(state_dir);
  for (const name of lockedNames(directory)) {
    const pid = watcherOf(name);
    if (pid === null || existsSync(join(directory, `${name}.json`))) continue;
    shell.complain(
      `process ${pid} answers for ${name}, which has no lease file: it is being made, or somebody removed it; \`veriroute runtimes down ${name}\` releases it`,
    );
  }
}

function lockedNames(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .flatMap((entry) => (entry.endsWith(".lock") ? [entry.slice(0, -".lock".length)] : []))
    .filter((name) => LEASE_NAME.test(name))
    .toSorted();
}
