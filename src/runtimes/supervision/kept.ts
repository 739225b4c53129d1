import type { Lease } from "../lease.ts";
import type { Listing } from "../listing.ts";
import { type DeadlineKind, touched } from "../policy/deadlines.ts";
import type { Supervised } from "../policy/tick.ts";
import type { ReleaseOutcome } from "../release-runtime.ts";

/** What may take its time, and is done at most once at a time. */
export type TaskKind = "reattach" | "probe" | "heartbeat" | "save";

/** A runtime that this process answers for: its lease, its lock, and what only memory knows. */
export interface Kept {
  /** As on disk, but for activity of the last seconds, and for a disk that fails. */
  lease: Lease;
  lock: { release(): void };
  /** Whether the listing has yet to say what became of it. */
  pending: boolean;
  /** Only those that came since it is kept: an earlier one proves nothing about it. */
  listings: readonly Listing[];
  in_flight: number;
  /** Whether activity is not on disk yet. */
  unsaved: boolean;
  readonly since_elapsed: number;
  probed_elapsed: number | null;
  heartbeat_elapsed: number | null;
  readonly warned: Set<DeadlineKind>;
  readonly busy: Set<TaskKind>;
  /** The end of it that is under way; nothing else may change it then. */
  ending: Promise<ReleaseOutcome> | null;
  /** What it will be once it is gone. */
  ends_as: "stopped" | "failed";
}

export function newKept(
  lease: Lease,
  lock: Kept["lock"],
  at: Pick<Kept, "since_elapsed" | "pending">,
): Kept {
  return {
    lease,
    lock,
    listings: [],
    in_flight: 0,
    unsaved: false,
    probed_elapsed: null,
    heartbeat_elapsed: null,
    warned: new Set(),
    busy: new Set(),
    ending: null,
    ends_as: lease.phase === "starting" ? "failed" : "stopped",
    ...at,
  };
}

/** A lease that was written, with the activity that came meanwhile. */
export function takeWritten(kept: Kept, written: Lease): void {
  const { last_activity_at, idle_deadline } = kept.lease;
  const isNewer = last_activity_at > written.last_activity_at;
  kept.lease = isNewer ? { ...written, last_activity_at, idle_deadline } : written;
}

/** What the rules see of it. */
export function supervisedView(kept: Kept, boot_id: string | null, elapsed: number): Supervised {
  const { lease, in_flight, probed_elapsed, heartbeat_elapsed, warned } = kept;
  const watched_ms = elapsed - kept.since_elapsed;
  return { lease, in_flight, boot_id, watched_ms, probed_elapsed, heartbeat_elapsed, warned };
}

/** A request to the runtime began or ended; on disk with the next tick, never on the way of a request. */
export function noteActivity(kept: Kept, kind: "start" | "end", now: number): void {
  kept.in_flight = Math.max(kept.in_flight + (kind === "start" ? 1 : -1), 0);
  kept.lease = { ...kept.lease, ...touched(kept.lease, now) };
  kept.unsaved = true;
  kept.warned.delete("idle");
}

/** Listings that can still matter: proof needs two, 30 s apart. */
const MAX_LISTINGS = 20;

export function noteListing(kept: Kept, listing: Listing): void {
  kept.listings = [...kept.listings, listing].slice(-MAX_LISTINGS);
}
