import type { SignatureTraits } from "../../verify/signatures/table.ts";
import type { TripScope } from "../../verify/verdict.ts";
import type { TripTiming } from "../breaker.ts";

/** When signatures bench, and how they let go. */
export interface TripPolicy {
  /** `observe` counts and tells, but benches nothing. */
  readonly mode: "enforce" | "observe";
  /** Signatures that are recorded and never bench. */
  readonly ignored: ReadonlySet<string>;
  /** Share of bad answers, 0 to 1, that is an incident whatever the baseline. */
  readonly incident_ratio: number;
  /** Lowest share of bad answers taken for normal. */
  readonly floor: Readonly<Record<TripScope, number>>;
  readonly timing: TripTiming;
  /** Clean answers in a row that close a half-open trip. */
  readonly clean_to_close: number;
  /** Answers after the closing that are looked at more sharply. */
  readonly probation: number;
  readonly traits: (signature: string) => SignatureTraits;
}

/** Fewer bad answers than this are no incident, by scope. */
export const LEAST_HITS: Readonly<Record<TripScope, number>> = { target: 3, provider: 2 };

/** During probation, whatever the scope. */
export const LEAST_HITS_ON_PROBATION = 2;
