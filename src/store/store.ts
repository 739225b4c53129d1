import type { Trip } from "../health/breaker.ts";
import type { Exclusion } from "../health/exclusions.ts";
import type { Mute } from "../health/trips/mutes.ts";
import type { Decision } from "../routing/decision.ts";
import type { CanaryStore } from "./canary-store.ts";

export interface DecisionFilter {
  /** Matches asked or served model. */
  readonly model?: string;
  /** Key of a target that was tried. */
  readonly target?: string;
  readonly status?: number;
  /** Not before, epoch ms. */
  readonly from?: number;
  /** Before, epoch ms. */
  readonly to?: number;
  readonly limit: number;
  readonly cursor?: string;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

export type KeyScope = "client" | "admin";

/** A key as it is kept: only its SHA-256 and what a person needs to recognise it. */
export interface StoredKey {
  readonly id: string;
  readonly name: string;
  readonly scope: KeyScope;
  readonly hash: string;
  /** The first characters of the key, for recognition. */
  readonly prefix: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
  /** Profile of the requests that come with it, if they name none. */
  readonly profile: string | null;
}

/** What an operator shut out, until it is removed or its time is over. */
export interface StoredExclusion extends Omit<Exclusion, "source"> {
  readonly created_at: number;
}

/** The verdict on one attempt's output, as it is kept. Holds no text of prompt or output. */
export interface StoredVerification {
  /** When the attempt was over, epoch ms. */
  readonly at: number;
  readonly decision_id: string;
  /** Number of the attempt within its decision, from 1. */
  readonly n: number;
  readonly instance: string;
  readonly target: string;
  readonly kind: "structural";
  readonly verdict: string;
  readonly signature: string | null;
  readonly detail: string | null;
  readonly model_attributable: 0 | 1;
  readonly trips: boolean;
  readonly scope: string | null;
  /** When the trip rule counted it, for or against; null if it did not. */
  readonly applied_at: number | null;
}

export interface VerificationFilter {
  readonly decision_id?: string;
  readonly instance?: string;
  readonly target?: string;
  readonly verdict?: string;
  readonly signature?: string;
  readonly model_attributable?: 0 | 1;
  /** Not before, epoch ms. */
  readonly from?: number;
  /** Before, epoch ms. */
  readonly to?: number;
  readonly limit: number;
  readonly cursor?: string;
}

/** A baseline of the trip rule. */
export interface StoredTally {
  readonly scope: "provider" | "target";
  /** Instance name or target key. */
  readonly subject: string;
  readonly saved_at: number;
  /** JSON text. */
  readonly record: string;
}

/** Attributable verdicts `mangled` of an instance within an hour since the epoch. */
export interface MangledCount {
  readonly instance: string;
  readonly hour: number;
  readonly count: number;
}

/** What identifies an open breaker. */
export type TripId = Pick<Trip, "scope" | "subject" | "cause">;

export interface AuditEntry {
  readonly at: number;
  /** Key id, `config`, `anonymous`, `cli` or `canary`. */
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly detail: string | null;
}

/** What other parts need before and while serving; loaded at start, refreshed when another process writes. */
export interface StoredState {
  readonly keys: readonly StoredKey[];
  /** There were keys in use, and they went with a database that was damaged or removed. */
  readonly keys_lost: boolean;
  /** Config values set through the admin API, by dotted key, as JSON text. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Those that ended may still be among them. */
  readonly exclusions: readonly StoredExclusion[];
  /** Profiles made through the admin API, by name, as JSON text. */
  readonly profiles: Readonly<Record<string, string>>;
  /** Allowlist entries made through the admin API. */
  readonly allowlist: readonly string[];
  /** Those that ended may still be among them. */
  readonly mutes: readonly Mute[];
  /** Breakers as last saved, by us or by another process. */
  readonly trips: readonly Trip[];
}

export interface PruneResult {
  readonly deleted: number;
  readonly size_bytes: number;
}

export interface StoreStats {
  readonly queued: number;
  readonly dropped: number;
  readonly size_bytes: number;
  /** False once writing failed for a reason that lasts (damage); a full disk clears by itself. */
  readonly healthy: boolean;
  readonly problem: string | null;
}

/**
 * SQLite behind one Worker. `record*` never wait and never throw; queries and changes are
 * answered in the order of the calls, after everything recorded before them.
 */
export interface Store {
  /**
   * Writes or replaces the row of `decision.id`, with its attempts, as it is now. Of a final decision, which does not
   * change any more, the text is made later.
   */
  recordDecision(decision: Decision, state?: "final"): void;
  recordAudit(entry: AuditEntry): void;
  recordVerification(verification: StoredVerification): void;
  state(): StoredState;
  /** Called when any of it changed, by us or by another process; within 1 s. */
  onStateChange(listener: (state: StoredState) => void): void;
  listDecisions(filter: DecisionFilter): Promise<Page<Decision>>;
  getDecision(id: string): Promise<Decision | null>;
  listVerifications(filter: VerificationFilter): Promise<Page<StoredVerification>>;
  countMangled(since: number): Promise<readonly MangledCount[]>;
  listAudit(page: { limit: number; cursor?: string }): Promise<Page<AuditEntry>>;
  addKey(key: StoredKey): Promise<void>;
  /** False if there is no such key or it is revoked already. */
  revokeKey(id: string, at: number): Promise<boolean>;
  /** False if there is no such key or it is revoked. */
  setKeyProfile(id: string, profile: string | null): Promise<boolean>;
  setOverride(key: string, json: string): Promise<void>;
  /** False if there was none. */
  deleteOverride(key: string): Promise<boolean>;
  /** Makes or replaces a profile. */
  setProfile(name: string, json: string): Promise<void>;
  /** False if there was none. */
  deleteProfile(name: string): Promise<boolean>;
  /** False if it is there already. */
  addAllowed(target: string): Promise<boolean>;
  /** False if it was not there. */
  removeAllowed(target: string): Promise<boolean>;
  /** Replaces an exclusion of the same subject. */
  addExclusion(exclusion: StoredExclusion): Promise<void>;
  /** False if there is none with this id. */
  removeExclusion(id: string): Promise<boolean>;
  /** Breakers that were open when they were last saved. */
  listTrips(): Promise<readonly Trip[]>;
  saveTrip(trip: Trip): Promise<void>;
  dropTrip(trip: TripId): Promise<void>;
  listTallies(): Promise<readonly StoredTally[]>;
  saveTallies(tallies: readonly StoredTally[]): Promise<void>;
  /** Replaces a mute of the same subject and signature. */
  addMute(mute: Mute): Promise<void>;
  /** False if there is none with this id. */
  removeMute(id: string): Promise<boolean>;
  /** The canary's rows. */
  readonly canary: CanaryStore;
  prune(limits: { before: number; max_size_bytes: number }): Promise<PruneResult>;
  stats(): StoreStats;
  /** Writes what is queued, checkpoints and closes. */
  close(): Promise<void>;
}
