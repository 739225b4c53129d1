import type { Lease } from "../lease.ts";
import type { LeaseChange } from "../leases/change-lease.ts";

/** What joins a runtime to the router. None of it may decide that a runtime is released. */
export interface Attachments {
  /** Opens its tunnel and makes it an instance; what its lease says then, or null if nothing answers. */
  readonly open: (lease: Lease) => Promise<LeaseChange | null>;
  /** Whether it answers and serves its model. */
  readonly probe: (lease: Lease) => Promise<boolean>;
  /** Tells its watchdog that we are here; whether that is alive. */
  readonly beat: (lease: Lease) => Promise<boolean>;
  /** Takes its instance and its tunnel away; settles once nothing uses its session. */
  readonly close: (name: string) => Promise<void>;
  /** Its phase changed: an instance serves only while it is ready. */
  readonly changed: (lease: Lease) => void;
}
