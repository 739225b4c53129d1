import { readFileSync } from "node:fs";

import type { RunCommand } from "../command.ts";
import { identityPath } from "./ssh-command.ts";

/**
 * Ends the ssh of a process of ours that was killed: Colab allows one connection a machine, and it
 * would hold it. A pid that belongs to anything else by now is left alone. False if it was not ours.
 */
export async function endLeftoverSsh(
  run: RunCommand,
  {
    pid,
    directory,
    path,
  }: { readonly pid: number; readonly directory: string; readonly path: string },
): Promise<boolean> {
  const words = await commandLine(run, pid, path);
  if (!words.includes(identityPath(directory))) return false;
  try {
    // It leads a group of its own, with the bridge in it.
    process.kill(-pid, "SIGTERM");
    return true;
  } catch {
    return false;
  }
}

async function commandLine(run: RunCommand, pid: number, path: string): Promise<string> {
  if (process.platform === "linux") {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  }
  const argv = ["ps", "-o", "command=", "-p", String(pid)] as const;
  const result = await run({ argv, env: { PATH: path }, timeout_ms: 5000 });
  return result.kind === "exited" ? result.stdout : "";
}
