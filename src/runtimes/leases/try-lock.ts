import type { LeaseLock, Leases } from "./open-leases.ts";

/**
 * The lock, or why the disk takes none. Nobody alive holds it then and nobody else can take it, so that what must
 * not wait, a release above all, may go on without.
 */
export type TriedLock = LeaseLock | { readonly kind: "untakeable"; readonly reason: string };

export function tryLock(leases: Pick<Leases, "lock">, name: string): TriedLock {
  try {
    return leases.lock(name);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "untakeable", reason };
  }
}

/** Stands for a lock that the disk does not take. */
export const WITHOUT_LOCK: { release(): void } = { release: () => undefined };
