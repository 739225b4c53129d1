import { type ErrorCode, ERRORS } from "../protocol/error-codes.ts";
import { type ErrorDetails, openAiError } from "../protocol/openai/error-envelope.ts";
import type { LedgerEntry } from "./ledger-entry.ts";
import type { Run } from "./run.ts";

export const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** A header value may hold printable ASCII only; everything else is percent-encoded. */
export function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, (piece) => encodeURIComponent(piece.toWellFormed()));
}

/** The two headers every answer has from the start. */
export function requestHeaders(request_id: string, entry: LedgerEntry): Record<string, string> {
  return { "x-request-id": request_id, "x-veriroute-decision": entry.id };
}

/** All router headers of an answer, once it is known who served it. */
export function routerHeaders({ request, entry }: Run): Record<string, string> {
  const { served, attempts, pool, lane } = entry.decision;
  return {
    ...requestHeaders(request.request_id, entry),
    ...(served !== null && { "x-veriroute-target": headerText(served) }),
    ...(attempts.length > 0 && { "x-veriroute-attempts": String(attempts.length) }),
    ...(pool !== null && { "x-veriroute-pool": headerText(pool) }),
    ...(lane !== null && { "x-veriroute-lane": headerText(lane) }),
  };
}

export interface ErrorAnswer extends ErrorDetails {
  readonly code: ErrorCode;
  readonly status?: number;
  /** The wait to tell the client; null for none. */
  readonly retry_after_ms?: number | null;
  /** Undefined leaves the decision to the client. */
  readonly should_retry?: boolean;
  /** Structured reasons, as an extra member of the error. */
  readonly details?: unknown;
}

/** An error in the client's dialect. */
export function errorResponse(answer: ErrorAnswer, headers: Record<string, string>): Response {
  const { code, retry_after_ms: wait = null, should_retry, details } = answer;
  const envelope = openAiError(answer);
  const body =
    details === undefined ? envelope : { error: { ...envelope.error, veriroute: details } };
  return Response.json(body, {
    status: answer.status ?? ERRORS[code].status,
    headers: {
      ...headers,
      ...(wait !== null && {
        "retry-after": String(Math.ceil(wait / 1000)),
        "retry-after-ms": String(Math.ceil(wait)),
      }),
      ...(should_retry !== undefined && { "x-should-retry": String(should_retry) }),
    },
  });
}
