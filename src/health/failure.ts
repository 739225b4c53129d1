/** How an attempt can end other than well. Facts per kind are in `FAILURE_FACTS`; policy is in settings. */
export type FailureKind =
  | "rate_limit"
  | "overloaded"
  | "insufficient_credit"
  | "auth"
  | "moderation"
  | "model_not_found"
  | "context_length"
  | "request_too_large_for_tier"
  | "bad_request"
  | "unsupported_param"
  | "refusal"
  | "timeout"
  | "server"
  | "network"
  | "bad_upstream"
  | "malformed_empty"
  | "mangled"
  | "bad_output"
  | "stream_interrupted"
  | "cancelled"
  | "router_shutdown"
  | "unknown";

export type HealthScope = "none" | "target" | "instance";

export interface FailureFacts {
  /** One more try on the same target may help. */
  readonly retry_same: boolean;
  readonly fail_over: "yes" | "no" | "larger_window" | "on_refusal";
  readonly affects_health: HealthScope;
  /** Default bench; null lasts until cleared. */
  readonly cooldown_ms: number | null;
  /** What an OpenAI chat client sees when no candidate is left. */
  readonly client_status: number;
  /** The stable `error.code` a client sees then. */
  readonly client_code: string;
}

/** A classified upstream failure. `message` is upstream text for this request's client only. */
export interface Failure {
  readonly kind: FailureKind;
  /** Upstream HTTP status or the one named inside a 200; null for transport faults. */
  readonly status: number | null;
  readonly vendor_code: string | null;
  readonly message: string | null;
  readonly param: string | null;
  /** The wait the vendor named, clamped; null if it named none. */
  readonly retry_after_ms: number | null;
  /** Overrides the kind's scope or facts where the vendor said more. */
  readonly affects_health: HealthScope;
  readonly cooldown_ms: number | null;
  /** Why this kind was chosen, in our own words. */
  readonly reason: string;
}
