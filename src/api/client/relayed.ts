import { Type } from "@sinclair/typebox";

import type { ErrorCode } from "../../protocol/error-codes.ts";

/** What can still happen to a request that reached the relay. */
export const RELAY_ERRORS: readonly ErrorCode[] = [
  "context_length_exceeded",
  "content_policy",
  "unsupported_parameter",
  "bad_request",
  "insufficient_credits",
  "admin_key_required",
  "model_not_found",
  "upload_timeout",
  "rate_limit_exceeded",
  "client_closed_request",
  "upstream_auth",
  "upstream_error",
  "upstream_empty",
  "upstream_bad_answer",
  "upstream_unreachable",
  "stream_interrupted",
  "no_target_available",
  "router_busy",
  "router_shutdown",
  "upstream_overloaded",
  "upstream_timeout",
  "routing_loop",
];

/** An answer of which the router reads only a part. */
export const foreignAnswer = Type.Object({}, { additionalProperties: true });
export const ANSWER_NOTE = "The upstream's own answer plus the member `veriroute`";

interface Sent {
  readonly request: Request;
  readonly server: { timeout(request: Request, seconds: number): void } | null;
}

/**
 * A route whose answer may be silent for minutes, longer than the server lets a connection be. Bodies have a
 * limit of their own, `Upload`.
 */
export function patiently(answer: (request: Request) => Promise<Response>) {
  return ({ request, server }: Sent): Promise<Response> => {
    server?.timeout(request, 0);
    return answer(request);
  };
}
