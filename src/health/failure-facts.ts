import type { ErrorCode } from "../protocol/error-codes.ts";
import type { Failure, FailureFacts, FailureKind } from "./failure.ts";

export interface KindFacts extends FailureFacts {
  readonly client_code: ErrorCode;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The part that is the same for every kind which benches a target and moves on. */
const moveOn = {
  retry_same: false,
  fail_over: "yes",
  affects_health: "target",
} as const;

/** The caller caused it: nobody's health moves. */
const callerCaused = {
  retry_same: false,
  fail_over: "no",
  affects_health: "none",
  cooldown_ms: 0,
} as const;

/** What follows from each kind, before a vendor's own wait or scope is taken into account. */
export const FAILURE_FACTS: Readonly<Record<FailureKind, KindFacts>> = {
  rate_limit: {
    ...moveOn,
    cooldown_ms: 20 * SECOND,
    client_status: 429,
    client_code: "rate_limit_exceeded",
  },
  overloaded: {
    ...moveOn,
    retry_same: true,
    cooldown_ms: 15 * SECOND,
    client_status: 503,
    client_code: "upstream_overloaded",
  },
  insufficient_credit: {
    ...moveOn,
    affects_health: "instance",
    cooldown_ms: 10 * MINUTE,
    client_status: 402,
    client_code: "insufficient_credits",
  },
  // The client's own key is fine, so it never sees a 401 for ours.
  auth: {
    ...moveOn,
    affects_health: "instance",
    cooldown_ms: null,
    client_status: 502,
    client_code: "upstream_auth",
  },
  moderation: {
    ...callerCaused,
    fail_over: "on_refusal",
    client_status: 400,
    client_code: "content_policy",
  },
  model_not_found: {
    ...moveOn,
    cooldown_ms: 10 * MINUTE,
    client_status: 404,
    client_code: "model_not_found",
  },
  context_length: {
    ...callerCaused,
    fail_over: "larger_window",
    client_status: 400,
    client_code: "context_length_exceeded",
  },
  request_too_large_for_tier: {
    ...callerCaused,
    fail_over: "yes",
    client_status: 429,
    client_code: "rate_limit_exceeded",
  },
  bad_request: { ...callerCaused, client_status: 400, client_code: "bad_request" },
  unsupported_param: {
    ...callerCaused,
    fail_over: "yes",
    client_status: 400,
    client_code: "unsupported_parameter",
  },
  // A refusal is an answer: with nowhere else to go it is passed through.
  refusal: {
    ...callerCaused,
    fail_over: "on_refusal",
    client_status: 200,
    client_code: "content_policy",
  },
  timeout: {
    ...moveOn,
    cooldown_ms: 15 * SECOND,
    client_status: 504,
    client_code: "upstream_timeout",
  },
  server: {
    ...moveOn,
    retry_same: true,
    cooldown_ms: 10 * SECOND,
    client_status: 502,
    client_code: "upstream_error",
  },
  network: {
    ...moveOn,
    retry_same: true,
    cooldown_ms: 10 * SECOND,
    client_status: 502,
    client_code: "upstream_unreachable",
  },
  bad_upstream: {
    ...moveOn,
    cooldown_ms: 10 * MINUTE,
    client_status: 502,
    client_code: "upstream_bad_answer",
  },
  // Its bench is the signature breaker's business, never a cooldown.
  malformed_empty: {
    ...moveOn,
    cooldown_ms: 0,
    client_status: 502,
    client_code: "upstream_empty",
  },
  // Like an empty answer, but with nobody left the client gets it all the same.
  mangled: {
    ...moveOn,
    cooldown_ms: 0,
    client_status: 502,
    client_code: "upstream_bad_answer",
  },
  bad_output: {
    ...moveOn,
    cooldown_ms: 0,
    client_status: 502,
    client_code: "upstream_bad_answer",
  },
  stream_interrupted: {
    ...moveOn,
    fail_over: "no",
    cooldown_ms: 5 * SECOND,
    client_status: 502,
    client_code: "stream_interrupted",
  },
  cancelled: { ...callerCaused, client_status: 499, client_code: "client_closed_request" },
  router_shutdown: { ...callerCaused, client_status: 503, client_code: "router_shutdown" },
  unknown: {
    ...moveOn,
    retry_same: true,
    cooldown_ms: 10 * SECOND,
    client_status: 502,
    client_code: "upstream_error",
  },
};

/** What is known beyond the kind; all that is left out follows from the kind. */
export interface FailureDetails extends Partial<Omit<Failure, "kind">> {
  readonly reason: string;
}

/** A failure of `kind`, with the kind's own scope and cooldown unless `details` says otherwise. */
export function failureOf(kind: FailureKind, details: FailureDetails): Failure {
  const { affects_health, cooldown_ms } = FAILURE_FACTS[kind];
  return {
    kind,
    status: null,
    vendor_code: null,
    message: null,
    param: null,
    retry_after_ms: null,
    affects_health,
    cooldown_ms,
    ...details,
  };
}

/** Longest wait before the one retry on the same target. */
const MAX_RETRY_DELAY_MS = 1000;

/**
 * Milliseconds to wait before one more try on the same target; null if none is due. A vendor that
 * named a wait beyond a second is not asked again before it: the next candidate is.
 */
export function retryDelay(failure: Failure, random: () => number): number | null {
  if (!FAILURE_FACTS[failure.kind].retry_same) return null;
  if (failure.retry_after_ms !== null) {
    return failure.retry_after_ms <= MAX_RETRY_DELAY_MS ? failure.retry_after_ms : null;
  }
  return failure.kind === "overloaded" ? Math.round(random() * MAX_RETRY_DELAY_MS) : 0;
}
