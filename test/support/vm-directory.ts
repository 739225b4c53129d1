import { mkdirSync, readFileSync } from "node:fs";

import { tempDir } from "./temp-dir.ts";

/** A machine's directory; whatever runs in it ends with the scope. */
export function vmDirectory() {
  const dir = tempDir();
  const directory = dir.file("vm");
  mkdirSync(directory);
  const pidOf = (file: string): number => {
    try {
      return JSON.parse(readFileSync(`${directory}/${file}`, "utf8")).pid;
    } catch {
      return 0;
    }
  };
  return {
    directory,
    pidOf,
    file: (name: string) => dir.file(name),
    [Symbol.dispose]() {
      for (const file of ["alive.json", "status.json", "server.json"]) end(pidOf(file));
      dir[Symbol.dispose]();
    },
  };
}

export function end(pid: number): void {
  if (pid <= 0) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid > 0;
  } catch {
    return false;
  }
}
