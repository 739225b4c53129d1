import { type ErrorCode, ERRORS } from "../error-codes.ts";

/**
 * Where Codex would make things worse of the usual status: it repeats a 402 six times, and thirty
 * times a 503, while it keeps to the `retry-after` of a 429.
 */
const DIFFERENT: Partial<Record<ErrorCode, number>> = {
  insufficient_credits: 400,
  no_target_available: 429,
  upstream_overloaded: 429,
  router_busy: 429,
  router_shutdown: 429,
};

/** The HTTP status of an error on `/v1/responses`; the envelope is OpenAI's as everywhere. */
export function responsesStatus(code: ErrorCode): number {
  return DIFFERENT[code] ?? ERRORS[code].status;
}
