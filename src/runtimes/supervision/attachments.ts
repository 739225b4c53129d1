import type { Lease } from "../lease.ts";
import type { LeaseChange } from "../leases/change-lease.ts";

/** What is known of a watchdog after a heartbeat. */
export type BeatReport =
  /** Seen, with this heartbeat; `is_new`: the one before had died. */
  | { readonly kind: "alive"; readonly is_new: boolean }
  /** None runs, and none could be started: only we release the machine. */
  | { readonly kind: "dead"; readonly why: string }
  /** The machine was not reached, or its watchdog is about to release it. */
  | { readonly kind: "unknown"; readonly why: string };

/** What joins a runtime to the router. None of it may decide that a runtime is released. */
export interface Attachments {
  /** Opens its tunnel and makes it an instance; what its lease says then, or null if nothing answers. */
  readonly open: (lease: Lease) => Promise<LeaseChange | null>;
  /** Whether it answers and serves its model. */
  readonly probe: (lease: Lease) => Promise<boolean>;
  /** Tells its watchdog that we are here, and starts one anew where it has died. */
  readonly beat: (lease: Lease) => Promise<BeatReport>;
  /** Takes its instance and its tunnel away; settles once nothing uses its session. */
  readonly close: (name: string) => Promise<void>;
  /** Its phase changed: an instance serves only while it is ready. */
  readonly changed: (lease: Lease) => void;
}
