import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const LISTENING = "0A";

/** Who listens on a TCP port, such as `nginx (pid 812)`; null where the system does not tell us. */
export function portHolder(port: number): string | null {
  try {
    const sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((file) => listening(file, port));
    const pid = readdirSync("/proc").find((name) => /^\d+$/.test(name) && hasSocket(name, sockets));
    if (pid === undefined) return null;
    return `${readFileSync(`/proc/${pid}/comm`, "utf8").trim()} (pid ${pid})`;
  } catch {
    // No /proc on this system, or the process ended meanwhile.
    return null;
  }
}

/** Inodes of the sockets in a table of the kernel that listen on `port`, as links of `fd` name them. */
function listening(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return readFileSync(table, "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , state]) => local.endsWith(suffix) && state === LISTENING)
    .map((fields) => `socket:[${fields[9]}]`);
}

function hasSocket(pid: string, sockets: readonly string[]): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some((fd) => sockets.includes(readlinkSync(`${folder}/${fd}`)));
  } catch {
    // Processes of other people keep their files to themselves.
    return false;
  }
}
