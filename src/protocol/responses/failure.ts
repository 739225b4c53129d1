import { type ErrorCode, ERRORS } from "../error-codes.ts";
import type { StreamFailure } from "../translate/translation.ts";

/** The codes of a failed response that clients act on. */
type FailureCode =
  | "server_error"
  | "server_is_overloaded"
  | "rate_limit_exceeded"
  | "insufficient_quota"
  | "context_length_exceeded"
  | "invalid_prompt";

/** What passes by itself: a client that is told for how long keeps to it. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  "rate_limit_exceeded",
  "no_target_available",
  "upstream_overloaded",
  "router_busy",
  "router_shutdown",
]);

/** Above this an agent would rather tell its user than sleep. */
const LONGEST_WAIT_MS = 60_000;

/** The `error` of a failed response. */
export function responseError({ code, message, retry_after_ms = null }: StreamFailure) {
  const named = failureCode(code, retry_after_ms);
  const waits = named === "rate_limit_exceeded" && retry_after_ms !== null;
  // Codex reads the wait from these words, and from nothing else.
  const wait = `Please try again in ${Math.ceil((retry_after_ms ?? 0) / 100) / 10}s.`;
  return { code: named, message: waits ? `${message.replace(/[.!?]?$/, ".")} ${wait}` : message };
}

function failureCode(code: ErrorCode, wait: number | null): FailureCode {
  if (code === "insufficient_credits") return "insufficient_quota";
  if (code === "context_length_exceeded") return "context_length_exceeded";
  if (PASSING.has(code) && wait !== null) {
    return wait > LONGEST_WAIT_MS ? "server_is_overloaded" : "rate_limit_exceeded";
  }
  if (code === "rate_limit_exceeded") return "rate_limit_exceeded";
  // Repeating a request that is wrong never helps; clients do so after `server_error`.
  return ERRORS[code].type === "invalid_request_error" ? "invalid_prompt" : "server_error";
}
