import type { ProbeResult } from "../canary/contracts/contract.ts";
import type { LiveTally } from "../canary/observe-report.ts";
import type {
  CanaryEventKind,
  CanaryProbeRow,
  CanaryRoundRow,
  SuspensionRow,
} from "../canary/rows.ts";
import type { AuditEntry, Page } from "./store.ts";

/** A probe as it is kept: without a result while it is under way, or if its process ended before. */
export interface StoredProbe extends Omit<CanaryProbeRow, "result"> {
  readonly result: ProbeResult | null;
}

/** What a probe has cost, or may have. */
export type ProbeCharge = Pick<
  CanaryProbeRow,
  "instance" | "at" | "charged_tokens" | "charged_usd"
>;

/** What the last process left. */
export interface SavedCanary {
  /** JSON of the fleet after the last round that was worked out; null before the first. */
  readonly fleet: string | null;
  /** Rounds after that one. */
  readonly rounds: readonly CanaryRoundRow[];
  /** What people lifted since the oldest of what is kept. */
  readonly lifts: readonly SuspensionRow[];
  /** News that nobody was told of yet. */
  readonly untold: readonly SuspensionRow[];
  readonly charges: readonly ProbeCharge[];
}

interface Paged {
  readonly limit: number;
  readonly cursor?: string;
}

export interface RoundFilter extends Paged {
  readonly round_id?: string;
  readonly endpoint?: string;
  readonly result?: string;
}

export interface ProbeFilter extends RoundFilter {
  readonly contract?: string;
}

export interface SuspensionFilter extends Paged {
  readonly endpoint?: string;
  readonly kind?: CanaryEventKind;
}

export interface LoadedCanary {
  /** Charges since, epoch ms: the beginning of the day. */
  readonly charges_since: number;
  /** The `form` of a fleet's record that can be read; any other counts as none. */
  readonly form: number;
}

/** What a look back on the observe mode needs. */
export interface ObservedRows {
  readonly rounds: readonly CanaryRoundRow[];
  readonly suspensions: readonly SuspensionRow[];
  readonly live: readonly LiveTally[];
  /** Everything that rounds saw. */
  readonly endpoints: readonly string[];
}

export interface CanaryEvents {
  /** Those that are there already are left as they are; each that is new goes into the audit log, too. */
  readonly events: readonly SuspensionRow[];
  /** What else is to be read in the audit log. */
  readonly audit?: readonly AuditEntry[];
  /** JSON of the state that they led to; null leaves the one at hand. */
  readonly fleet: { readonly round_n: number; readonly record: string } | null;
}

/** The canary's rows. Everything rejects with `StoreError`; lists are newest first. */
export interface CanaryStore {
  load(wanted: LoadedCanary): Promise<SavedCanary>;
  /** Before a probe is sent, with the most it can cost. */
  reserve(probe: StoredProbe): Promise<void>;
  /** What became of it. */
  settle(probe: StoredProbe): Promise<void>;
  /** All rows of a round or none; again does nothing. */
  saveRound(rows: readonly CanaryRoundRow[]): Promise<void>;
  saveEvents(events: CanaryEvents): Promise<void>;
  /** Somebody was told of these. */
  noteTold(ids: readonly string[], at: number): Promise<void>;
  listRounds(filter: RoundFilter): Promise<Page<CanaryRoundRow>>;
  listProbes(filter: ProbeFilter): Promise<Page<StoredProbe>>;
  listSuspensions(filter: SuspensionFilter): Promise<Page<SuspensionRow>>;
  /** Everything that would have been suspended since, epoch ms, with what was seen within a day of it. */
  observed(since: number): Promise<ObservedRows>;
  /**
   * Deletes rounds, probes and comings and goings older than `before`, epoch ms, but none that the state
   * still needs.
   */
  prune(before: number): Promise<void>;
}

/** What the worker does for it. */
export interface CanaryCalls {
  load_canary: { takes: LoadedCanary; gives: SavedCanary };
  save_canary_probe: { takes: StoredProbe; gives: null };
  save_canary_round: { takes: readonly CanaryRoundRow[]; gives: null };
  save_canary_events: { takes: CanaryEvents; gives: null };
  note_canary_told: { takes: { ids: readonly string[]; at: number }; gives: null };
  list_canary_rounds: { takes: RoundFilter; gives: Page<CanaryRoundRow> };
  list_canary_probes: { takes: ProbeFilter; gives: Page<StoredProbe> };
  list_suspensions: { takes: SuspensionFilter; gives: Page<SuspensionRow> };
  observed_suspensions: { takes: number; gives: ObservedRows };
  prune_canary: { takes: number; gives: null };
}
