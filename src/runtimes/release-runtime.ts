import type { Clock } from "../lib/clock.ts";
import type { Log } from "../telemetry/log.ts";
import type { ColabDriver } from "./colab/driver.ts";
import type { Lease, ReleaseProof } from "./lease.ts";
import type { LeaseChange } from "./leases/change-lease.ts";
import type { Leases } from "./leases/open-leases.ts";
import { amongOthers, otherLeases } from "./leases/other-leases.ts";
import type { Listing } from "./listing.ts";
import type { Pause } from "./pause.ts";
import {
  absenceProof,
  isOfAccount,
  mayBeOf,
  mayStillAppear,
  OTHER_ACCOUNT,
  PROOF_GAP_MS,
} from "./policy/absence.ts";
import { attribute, identified } from "./policy/orphans.ts";
import { billingNotice } from "./policy/words.ts";
import { writeChange } from "./write-change.ts";

export interface ReleaseDependencies {
  readonly leases: Pick<Leases, "list" | "update">;
  readonly driver: Pick<ColabDriver, "list" | "stop" | "adopt" | "entry" | "stored">;
  readonly clock: Clock;
  readonly pause: Pause;
  /** Settles once nothing uses the runtime's session any more. */
  readonly closeTunnel: (name: string) => Promise<void>;
  readonly log: Pick<Log, "info" | "error">;
}

export interface ReleaseRequest {
  readonly lease: Lease;
  /** For the history: "its life is over". */
  readonly why: string;
  /** What it is once it is proven gone. */
  readonly as: "stopped" | "failed";
}

export type ReleaseOutcome =
  | { readonly kind: "released"; readonly lease: Lease }
  | { readonly kind: "unproven"; readonly lease: Lease; readonly notice: string };

/**
 * One attempt to release a runtime: on disk first, then the tunnel, then Colab, then two listings 30 s
 * apart. What the command says of its success is not asked. A disk that fails stops nothing: the
 * machine costs money all the same. Never rejects for anything but a fault of ours.
 */
export async function releaseRuntime(
  dependencies: ReleaseDependencies,
  request: ReleaseRequest,
): Promise<ReleaseOutcome> {
  const keep = keeper(dependencies, request.lease);
  const { release } = request.lease;
  const now = Math.round(dependencies.clock.now());
  const isFirst = request.lease.phase !== "stopping";
  await keep.change({
    phase: "stopping",
    release: { ...release, attempts: release.attempts + 1, last_at: now },
    ...(isFirst ? { event: `releasing: ${request.why}` } : {}),
  });
  await closeTunnel(dependencies, request.lease.name);
  const failure = await askForRelease(dependencies, keep);
  const proof = failure?.is_final === true ? null : await prove(dependencies, keep);
  if (typeof proof === "object" && proof !== null) {
    await keep.change({
      phase: request.as,
      release: { ...keep.lease().release, last_error: null, proof },
      event: `${request.as}: two listings lack its machine`,
    });
    return { kind: "released", lease: keep.lease() };
  }
  const last_error = failure?.reason ?? proof ?? "it is still listed";
  await keep.change({ release: { ...keep.lease().release, last_error } });
  const notice = `${billingNotice(keep.lease())}: ${last_error}`;
  dependencies.log.error({ runtime: request.lease.name }, notice);
  return { kind: "unproven", lease: keep.lease(), notice };
}

/** Whatever is wrong with the tunnel is no reason to keep the machine. */
async function closeTunnel(
  { closeTunnel: close, log }: ReleaseDependencies,
  name: string,
): Promise<void> {
  try {
    await close(name);
  } catch (error) {
    log.error({ runtime: name, err: error }, "its tunnel could not be closed");
  }
}

interface Keeper {
  readonly lease: () => Lease;
  readonly change: (change: LeaseChange) => Promise<void>;
}

/** The lease as it is on disk, or would be if the disk let it. */
function keeper(dependencies: ReleaseDependencies, first: Lease): Keeper {
  let lease = first;
  return {
    lease: () => lease,
    async change(change) {
      lease = await writeChange(dependencies, lease, change);
    },
  };
}

interface Failure {
  readonly reason: string;
  /** Nothing was asked of Colab, so that no listing can prove anything. */
  readonly is_final: boolean;
}

/** Null if Colab was asked and did not refuse, or if there is no machine to ask about. */
async function askForRelease(
  dependencies: ReleaseDependencies,
  keep: Keeper,
): Promise<Failure | null> {
  const { driver } = dependencies;
  const { name } = keep.lease();
  if (keep.lease().endpoint === null) {
    if (keep.lease().was_refused) return null;
    const found = await findMachine(dependencies, keep.lease());
    if (found === null || "reason" in found) return found;
    await keep.change(found);
  }
  const { endpoint } = keep.lease();
  try {
    // What its own store does not know cannot be stopped: the command would succeed and do nothing.
    if (endpoint !== null && driver.entry(name)?.endpoint !== endpoint) {
      await driver.adopt(name, endpoint);
    }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error), is_final: true };
  }
  const report = await driver.stop(name);
  return report.kind === "failed" ? { reason: report.fault.message, is_final: false } : null;
}

/** What a lease is to say of the machine that it was never told of; null if there is none to be seen. */
async function findMachine(
  { leases, driver }: ReleaseDependencies,
  lease: Lease,
): Promise<LeaseChange | Failure | null> {
  // What the command has noted itself needs no guess, and counts where listings lag behind.
  const stored = await driver.stored(lease.name);
  const { result, others } = await amongOthers(leases, lease.name, () => driver.list());
  const { listing } = result;
  if (stored !== null) {
    const shown = listing.sessions.find(({ endpoint }) => endpoint === stored.endpoint);
    return identified(shown ?? stored);
  }
  const found = attribute(lease, listing, others);
  if (found.kind === "none") return null;
  if (found.kind === "one") return identified(found.machine);
  const machines = found.endpoints.join(", ");
  const reason = `any of these may be its machine: ${machines}; \`veriroute runtimes adopt ENDPOINT\` takes over the one that is`;
  return { reason, is_final: true };
}

/** The proof, or why there is none. */
async function prove(
  { leases, driver, clock, pause }: ReleaseDependencies,
  keep: Keeper,
): Promise<ReleaseProof | string> {
  const subject = keep.lease();
  const listings: Listing[] = [];
  let others: readonly Lease[] = [];
  for (let n = 0; n < 2; n++) {
    if (n > 0) await pause(PROOF_GAP_MS + 100);
    const { listing } = await driver.list();
    listings.push(listing);
    if (listing.kind === "doubtful") return `it cannot be told: ${listing.reason}`;
    if (!isOfAccount(subject, listing)) return `it cannot be told: ${OTHER_ACCOUNT}`;
    others = (await otherLeases(leases, subject.name)) ?? [];
    if (listing.sessions.some((session) => mayBeOf(subject, session, others))) {
      return "it is still listed";
    }
  }
  // Without an endpoint nobody knows when Colab got the request, if it did.
  const since = subject.endpoint === null ? subject.phase_at : subject.created_at;
  if (mayStillAppear(subject, since, clock.now())) {
    return "its machine may still appear";
  }
  return absenceProof({ subject, listings, others }) ?? "the listings were too close together";
}
