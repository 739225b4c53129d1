import type { Trip } from "../health/breaker.ts";
import type { Mute } from "../health/trips/mutes.ts";
import type { CanaryCalls } from "./canary-store.ts";
import type { StoreErrorKind } from "./store-error.ts";
import type {
  AuditEntry,
  DecisionFilter,
  MangledCount,
  Page,
  PruneResult,
  StoredExclusion,
  StoredKey,
  StoredState,
  StoredTally,
  StoredVerification,
  TripId,
  VerificationFilter,
} from "./store.ts";

/** What the worker does on request. Decisions travel as JSON text: it copies fastest. */
export interface Calls extends CanaryCalls {
  list_decisions: { takes: DecisionFilter; gives: Page<string> };
  get_decision: { takes: string; gives: string | null };
  list_audit: { takes: { limit: number; cursor?: string }; gives: Page<AuditEntry> };
  list_verifications: { takes: VerificationFilter; gives: Page<StoredVerification> };
  count_mangled: { takes: number; gives: readonly MangledCount[] };
  add_key: { takes: StoredKey; gives: null };
  revoke_key: { takes: { id: string; at: number }; gives: boolean };
  set_key_profile: { takes: { id: string; profile: string | null }; gives: boolean };
  set_override: { takes: { key: string; json: string }; gives: null };
  delete_override: { takes: string; gives: boolean };
  set_profile: { takes: { name: string; json: string }; gives: null };
  delete_profile: { takes: string; gives: boolean };
  add_allowed: { takes: string; gives: boolean };
  remove_allowed: { takes: string; gives: boolean };
  add_exclusion: { takes: StoredExclusion; gives: null };
  remove_exclusion: { takes: string; gives: boolean };
  list_trips: { takes: null; gives: readonly Trip[] };
  save_trip: { takes: Trip; gives: null };
  drop_trip: { takes: TripId; gives: null };
  list_tallies: { takes: null; gives: readonly StoredTally[] };
  save_tallies: { takes: readonly StoredTally[]; gives: null };
  add_mute: { takes: Mute; gives: null };
  remove_mute: { takes: string; gives: boolean };
  prune: { takes: { before: number; max_size_bytes: number }; gives: PruneResult };
  close: { takes: null; gives: null };
}
export type CallName = keyof Calls;

export type Call = {
  [Name in CallName]: { readonly name: Name; readonly argument: Calls[Name]["takes"] };
}[CallName];

export interface Batch {
  readonly decisions: readonly string[];
  readonly audit: readonly AuditEntry[];
  readonly verifications: readonly StoredVerification[];
}

export type ToWorker =
  | { readonly kind: "open"; readonly path: string; readonly now: number }
  /** Only to a worker of its own: it reads the whole file. */
  | { readonly kind: "check"; readonly path: string }
  /** What such a check of the database at hand came to: a damaged one is replaced. */
  | { readonly kind: "checked"; readonly damage: string | null }
  | { readonly kind: "write"; readonly batch: Batch }
  | { readonly kind: "call"; readonly id: number; readonly call: Call };

/** An exception as it crosses between threads. */
export interface Refusal {
  readonly kind: StoreErrorKind;
  readonly message: string;
}

export type FromWorker =
  | {
      readonly kind: "opened";
      readonly state: StoredState;
      readonly size_bytes: number;
      /** The database at hand replaces a damaged one. */
      readonly problem: string | null;
      /** Most of the file is yet to be checked for damage. */
      readonly unchecked?: boolean;
    }
  /** What is wrong with the file, in SQLite's words; null if nothing is. */
  | { readonly kind: "checked"; readonly damage: string | null }
  | { readonly kind: "not_checked"; readonly refusal: Refusal }
  /** A fresh database serves from now on. */
  | { readonly kind: "replaced"; readonly problem: string | null; readonly size_bytes: number }
  | { readonly kind: "not_opened"; readonly refusal: Refusal }
  | {
      /** The batch is done with: the next one may come. */
      readonly kind: "written";
      readonly dropped: number;
    }
  | { readonly kind: "size"; readonly size_bytes: number }
  /** Why rows are being dropped; null once writing works again. */
  | { readonly kind: "trouble"; readonly refusal: Refusal | null }
  | { readonly kind: "state"; readonly state: StoredState }
  | { readonly kind: "gave"; readonly id: number; readonly value: Calls[CallName]["gives"] }
  | { readonly kind: "refused"; readonly id: number; readonly refusal: Refusal };
