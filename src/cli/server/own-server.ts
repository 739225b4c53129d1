import type { Paths } from "../../app.ts";
import { readServeLock } from "../../store/serve-lock.ts";
import { lockFile } from "../setup/locate.ts";

/** The server that runs on a state directory. */
export interface OwnServer {
  readonly pid: number;
  readonly url: string;
}

/** Null if none runs, or it does not listen yet. */
export function ownServer(paths: Pick<Paths, "state_dir">): OwnServer | null {
  const holder = readServeLock(lockFile(paths));
  if (holder === null || holder.address === null) return null;
  return { pid: holder.pid, url: holder.address };
}
