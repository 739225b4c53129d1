import type { FailureKind } from "./failure.ts";

/** What a rule may look at. */
export interface Evidence {
  /** HTTP status, or the one a body inside a 200 names; null if there is none. */
  readonly status: number | null;
  readonly codes: readonly string[];
  readonly text: string;
  readonly param: string | null;
  /** The answer has a `retry-after` header. */
  readonly has_retry_after: boolean;
}

/** A rule holds if all it names holds; the first one that does decides. */
export interface TextRule {
  readonly kind: FailureKind;
  readonly reason: string;
  /** Statuses it holds for; a missing status always fits. Without it: every status. */
  readonly status?: readonly number[];
  readonly text?: RegExp;
  /** Not when the body carries this code. */
  readonly unless_code?: string;
  readonly when?: (evidence: Evidence) => boolean;
}
