import { existsSync } from "node:fs";

import { isBilling } from "../../runtimes/lease.ts";
import { openLeases } from "../../runtimes/leases/open-leases.ts";
import { leaseDirectory, leaseLockFile } from "../../runtimes/places.ts";
import { billingNotice, unreadableNotice } from "../../runtimes/policy/words.ts";
import { acquireServeLock, readServeLock } from "../../store/serve-lock.ts";
import { paint } from "../terminal/color.ts";
import type { Shell } from "../terminal/shell.ts";

/**
 * For a router that could not start, so that nobody may know: says which rented machines cost money and are
 * watched by no living process. Never rejects.
 */
export async function sayUnwatched(state_dir: string, shell: Shell): Promise<void> {
  const { clock } = shell;
  const directory = leaseDirectory(state_dir);
  if (!existsSync(directory)) return;
  const leases = openLeases({ directory, clock, takeLock: acquireServeLock });
  try {
    for (const file of await leases.list()) {
      if (readServeLock(leaseLockFile(state_dir, file.name)) !== null) continue;
      if (file.kind === "unreadable") say(unreadableNotice(file.name), shell);
      else if (isBilling(file.lease.phase)) {
        say(billingNotice(file.lease), shell);
        shell.complain(
          `\`veriroute runtimes down ${file.name}\` releases it, without a server too`,
        );
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(`MAY STILL BE BILLING: ${reason}`, shell);
  }
}

function say(notice: string, shell: Shell): void {
  shell.complain(paint(shell, "red", notice));
}
