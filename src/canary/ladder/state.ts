import type { EndpointKey } from "../endpoints/endpoint.ts";
import { type ProbeStrength, STRONG } from "../rounds/probe-strength.ts";

const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Days of the first, the second, and every further suspension. */
export const LADDER_DAYS = [1, 3, 7] as const;
export const TOP_LEVEL = LADDER_DAYS.length;
/** Failing rounds in a row that suspend, and clean ones that restore. */
export const FAILING_ROUNDS = 2;
export const CLEAN_ROUNDS = 2;
/** Hosts that must be left to serve. */
export const FLOOR = 2;
/** After so long without a failure the ladder starts again from the bottom. */
export const RESET_MS = 14 * DAY_MS;
/** So long an endpoint that is gone is remembered. */
export const FORGET_MS = 30 * DAY_MS;

/** Who slept or was gone has no rounds in a row: beyond this, or four intervals, the streaks are over. */
const MAX_GAP_MS = 2 * HOUR_MS;

export function isGap(since_ms: number, interval_ms: number): boolean {
  return since_ms > Math.max(MAX_GAP_MS, 4 * interval_ms);
}

/** What is known of an endpoint, all of it from its rounds and from what people did. */
export interface EndpointState {
  readonly endpoint: EndpointKey;
  readonly instance: string;
  readonly model: string;
  readonly host: string | null;
  readonly groups: readonly string[];
  /** The last round saw it. */
  readonly is_present: boolean;
  readonly is_production: boolean;
  /** Null while it may serve. Instants are epoch ms. */
  readonly suspended: { readonly since_at: number; readonly until_at: number } | null;
  /** Rounds in a row; those that say nothing neither count nor break a row. */
  readonly fail_streak: number;
  readonly clean_streak: number;
  /** Suspensions so far, at most 3: the next one's place on the ladder. */
  readonly level: number;
  readonly last_bad_at: number | null;
  /** It passed a round since it last failed one. */
  readonly has_recovered: boolean;
  /** Too few others are left to suspend it, and somebody was told. */
  readonly is_held: boolean;
  /** In observe mode somebody was told of what would have been done. */
  readonly is_reported: boolean;
  /** The language it failed in last, which is asked again. */
  readonly repeat_locale: string | null;
  /** What the last failing round found, in fixed words. */
  readonly last_fault: string | null;
  readonly last_seen_at: number;
}

/** Everything that the canary knows. */
export interface Fleet {
  readonly endpoints: ReadonlyMap<EndpointKey, EndpointState>;
  readonly strength: ProbeStrength;
  /** 0 before the first round. */
  readonly last_round_n: number;
  /** Epoch ms it ended at; null before the first round. */
  readonly last_round_at: number | null;
}

export const EMPTY_FLEET: Fleet = {
  endpoints: new Map(),
  strength: STRONG,
  last_round_n: 0,
  last_round_at: null,
};

/** The streaks and what hangs on them, as if nothing had been seen. */
export const NO_STREAKS = { fail_streak: 0, clean_streak: 0, is_held: false } as const;
