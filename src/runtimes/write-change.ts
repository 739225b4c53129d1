import type { Log } from "../telemetry/log.ts";
import type { Lease } from "./lease.ts";
import type { LeaseChange } from "./leases/change-lease.ts";
import { LeaseError } from "./leases/lease-error.ts";
import type { Leases } from "./leases/open-leases.ts";

export interface WriteChangeDependencies {
  readonly leases: Pick<Leases, "update">;
  readonly log: Pick<Log, "error">;
}

/**
 * The lease after a change, on disk if that can be. A disk that fails is said and otherwise ignored:
 * the machine costs money all the same, and its deadlines are kept from memory until the disk takes them.
 * What the rules forbid is not done at all.
 */
export async function writeChange(
  { leases, log }: WriteChangeDependencies,
  lease: Lease,
  change: LeaseChange,
): Promise<Lease> {
  try {
    return await leases.update(lease.name, () => change, lease);
  } catch (error) {
    log.error({ runtime: lease.name, err: error }, "the lease could not be written");
    if (error instanceof LeaseError && error.kind === "forbidden") return lease;
    if (error instanceof LeaseError && error.lease !== null) return error.lease;
    const { event: _event, ...fields } = change;
    return { ...lease, ...fields };
  }
}
