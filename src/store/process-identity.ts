import { readFileSync } from "node:fs";

/** Changes with every boot of the machine; null if the system does not tell. */
export function bootId(): string | null {
  if (process.platform === "darwin") return commandOutput(["sysctl", "-n", "kern.bootsessionuuid"]);
  return readLine("/proc/sys/kernel/random/boot_id");
}

/** When the process began, in a form only good for comparing; null if it is gone or nobody can tell. */
export function processStart(pid: number): string | null {
  if (process.platform === "darwin")
    return commandOutput(["ps", "-o", "lstart=", "-p", String(pid)]);
  // The name in parentheses may hold blanks; field 22 of the whole is the 20th after it.
  const fields = readLine(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ");
  return fields?.[19] ?? null;
}

function readLine(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}

function commandOutput(command: string[]): string | null {
  try {
    return Bun.spawnSync(command).stdout.toString().trim() || null;
  } catch {
    return null;
  }
}
