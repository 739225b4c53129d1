import { dialectError } from "../protocol/dialect-error.ts";
import type { ErrorDetails } from "../protocol/openai/error-envelope.ts";
import type { PassedHeaders } from "../upstream/inbound-headers.ts";
import { lostIn } from "./explain-record.ts";
import type { Run } from "./run.ts";

const SSE_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/** A header value may hold printable ASCII only; everything else is percent-encoded. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, (piece) => encodeURIComponent(piece.toWellFormed()));
}

/** The two headers every answer has from the start. */
function requestHeaders({ request, entry }: Run): Record<string, string> {
  return { "x-request-id": request.request_id, "x-veriroute-decision": entry.id };
}

/** All router headers of an answer, once it is known who served it, or who was asked last. */
function routerHeaders(run: Run): Record<string, string> {
  const { served, attempts, pool, lane } = run.entry.decision;
  const lost = lostIn(run.entry.decision);
  const target = served ?? attempts.at(-1)?.target ?? null;
  const headers = requestHeaders(run);
  if (target !== null) headers["x-veriroute-target"] = headerText(target);
  if (attempts.length > 0) headers["x-veriroute-attempts"] = String(attempts.length);
  if (pool !== null) headers["x-veriroute-pool"] = headerText(pool);
  if (lane !== null) headers["x-veriroute-lane"] = headerText(lane);
  if (lost.length > 0) headers["x-veriroute-warnings"] = headerText(lost.join(", "));
  return headers;
}

export function jsonResponse(
  run: Run,
  bytes: Uint8Array<ArrayBuffer>,
  upstream: PassedHeaders,
): Response {
  const headers = { "content-type": "application/json", ...routerHeaders(run) };
  return new Response(bytes, { headers: { ...upstream, ...headers } });
}

/** `upstream` is null while nobody has answered yet. */
export function sseResponse(
  run: Run,
  body: ReadableStream,
  upstream: PassedHeaders | null,
): Response {
  const own = upstream ? routerHeaders(run) : requestHeaders(run);
  return new Response(body, { headers: { ...upstream, ...own, ...SSE_HEADERS } });
}

export interface ErrorAnswer extends ErrorDetails {
  /** The wait to tell the client; null for none. */
  readonly retry_after_ms?: number | null;
  /** Another try of the same request is worth while; false if left out. */
  readonly should_retry?: boolean;
  /** Structured reasons, as an extra member of the error. */
  readonly details?: object;
}

/** An error in the client's dialect. */
export function errorResponse(run: Run, answer: ErrorAnswer): Response {
  const { retry_after_ms: wait = null, should_retry = false, details } = answer;
  const { dialect, request_id } = run.request;
  const { status, body: envelope } = dialectError(dialect, answer, request_id);
  const error = { ...envelope.error, veriroute: details };
  const body = details === undefined ? envelope : { ...envelope, error };
  return Response.json(body, {
    status,
    headers: {
      ...routerHeaders(run),
      ...(wait !== null && {
        "retry-after": String(Math.ceil(wait / 1000)),
        "retry-after-ms": String(Math.ceil(wait)),
      }),
      ...(!should_retry && { "x-should-retry": "false" }),
    },
  });
}
