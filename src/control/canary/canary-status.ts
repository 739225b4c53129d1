import type { EndpointState } from "../../canary/ladder/state.ts";
import type { CanaryMode } from "../../canary/rows.ts";
import type { PlannedProbe, ProviderEstimate } from "../../canary/spending/estimate.ts";

/** What the canary knows and does, as it may be shown. Instants are epoch ms. */
export interface CanaryStatus {
  readonly mode: CanaryMode;
  readonly interval_ms: number;
  readonly round: RoundStatus;
  readonly spending: SpendingStatus;
  /** The question about filters tells nothing now: hosts that are known to filter let it through. */
  readonly is_filter_probe_weak: boolean;
  readonly endpoints: readonly EndpointState[];
}

interface RoundStatus {
  /** Of the last one; 0 before the first. */
  readonly n: number;
  readonly is_running: boolean;
  readonly last_ended_at: number | null;
  readonly next_at: number | null;
}

interface SpendingStatus {
  readonly usd_today: number;
  readonly max_usd_per_day: number;
  readonly by_instance: readonly SpentAt[];
}

interface SpentAt {
  readonly instance: string;
  readonly tokens: number;
  readonly usd: number;
}

/** Everything that a round would send now, and what a day of such rounds comes to. */
export interface DryRun {
  readonly probes: readonly PlannedProbe[];
  readonly day: readonly ProviderEstimate[];
  readonly usual_usd_per_day: number;
  /** Every answer as long as allowed, and every question confirmed twice. */
  readonly worst_usd_per_day: number;
  readonly max_usd_per_day: number | null;
}

/** Figures for metrics. */
export interface CanaryFigures {
  readonly rounds: number;
  readonly last_round_at: number | null;
  readonly probes: readonly ProbeCount[];
  readonly spent: readonly SpentAt[];
  readonly suspended: readonly { readonly instance: string; readonly count: number }[];
}

export interface ProbeCount {
  readonly instance: string;
  readonly contract: string;
  readonly result: string;
  readonly count: number;
}
