import type { Lease } from "../lease.ts";
import type { LeaseFile } from "./read-lease.ts";

interface Listed {
  readonly list: () => Promise<readonly LeaseFile[]>;
}

/** All leases but that of `name`; null if one of them, or the directory, cannot be read. */
export async function otherLeases(leases: Listed, name: string): Promise<readonly Lease[] | null> {
  try {
    const { known, unreadable } = await knownLeases(leases);
    const isComplete = unreadable.every((one) => one === name);
    return isComplete ? known.filter((lease) => lease.name !== name) : null;
  } catch {
    return null;
  }
}

export interface KnownLeases {
  readonly known: readonly Lease[];
  /** Names of those that cannot be read: each may be of a machine, too. */
  readonly unreadable: readonly string[];
}

/** What can be read of the leases. Throws `LeaseError` where their directory cannot be listed. */
export async function knownLeases(leases: Listed): Promise<KnownLeases> {
  const files = await leases.list();
  return {
    known: files.flatMap((file) => (file.kind === "lease" ? [file.lease] : [])),
    unreadable: files.flatMap((file) => (file.kind === "unreadable" ? [file.name] : [])),
  };
}

/** Does something between two looks at the other leases: what has come or gone meanwhile counts as theirs, too. */
export async function amongOthers<T>(
  leases: Listed,
  name: string,
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly others: readonly Lease[] | null }> {
  const before = await otherLeases(leases, name);
  const result = await act();
  const after = await otherLeases(leases, name);
  return { result, others: before === null || after === null ? null : [...before, ...after] };
}
