import { leasesOf, type RuntimeParts } from "./assemble.ts";
import type { Lease } from "./lease.ts";
import type { LeaseFile } from "./leases/read-lease.ts";
import { leaseLockFile } from "./places.ts";
import type { RuntimesDependencies } from "./runtimes-dependencies.ts";
import { type RuntimeView, type Viewing, viewOf, viewOfFile } from "./views.ts";

/** All there are: those with a file, and those that this process answers for though theirs is gone. */
export async function listShown(
  dependencies: RuntimesDependencies,
  parts: RuntimeParts | null,
): Promise<readonly RuntimeView[]> {
  const files = await leasesOf(dependencies).list();
  const held = parts?.supervisor.leases() ?? [];
  const names = new Set([...files, ...held].map(({ name }) => name));
  return [...names].toSorted().flatMap((name) => {
    const file = files.find((one) => one.name === name) ?? null;
    return shownOf(file, knownHere(parts, name), viewing(dependencies, name)) ?? [];
  });
}

/** One that ended in this process is still found; null if there is and was none. */
export async function findShown(
  dependencies: RuntimesDependencies,
  parts: RuntimeParts | null,
  name: string,
): Promise<RuntimeView | null> {
  const file = await leasesOf(dependencies).read(name);
  return shownOf(file, knownHere(parts, name), viewing(dependencies, name));
}

export function viewing(
  { state_dir, clock, lockHolder, process: own }: RuntimesDependencies,
  name: string,
): ViewingHere {
  const holder = lockHolder(leaseLockFile(state_dir, name));
  return { now: clock.now(), watched_by: holder?.pid ?? null, own_pid: own.pid };
}

/** A disk that is full takes no lock, but what is held without one is watched all the same. */
interface ViewingHere extends Viewing {
  readonly own_pid: number;
}

interface Known {
  readonly lease: Lease;
  readonly is_held: boolean;
}

function knownHere(parts: RuntimeParts | null, name: string): Known | null {
  const held = parts?.supervisor.leases().find((lease) => lease.name === name);
  if (held !== undefined) return { lease: held, is_held: true };
  const ended = parts?.ended(name) ?? null;
  return ended === null ? null : { lease: ended, is_held: false };
}

/** Whoever answers for a runtime knows more of it than a file that a disk did not take, or that is gone. */
function shownOf(file: LeaseFile | null, known: Known | null, at: ViewingHere): RuntimeView | null {
  if (known === null) return file === null ? null : viewOfFile(file, at);
  const view = viewOf(known.lease, known.is_held ? { ...at, watched_by: at.own_pid } : at);
  if (file === null) return known.is_held ? { ...view, doubts: [GONE] } : view;
  if (file.kind === "unreadable") {
    return known.is_held ? { ...view, doubts: [file.reason] } : viewOfFile(file, at);
  }
  const isSame = file.lease.lease_id === known.lease.lease_id;
  return isSame ? { ...view, doubts: file.doubts } : viewOfFile(file, at);
}

const GONE = "its lease file is gone; it is watched from memory";
