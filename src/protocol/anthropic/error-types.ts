import type { ErrorCode } from "../error-codes.ts";

/** The words of Anthropic's envelope, which its clients steer by. */
export type AnthropicErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "billing_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "request_too_large"
  | "rate_limit_error"
  | "api_error"
  | "timeout_error"
  | "overloaded_error";

interface AnthropicErrorFacts {
  readonly status: number;
  readonly type: AnthropicErrorType;
}

const fact = (status: number, type: AnthropicErrorType): AnthropicErrorFacts => ({ status, type });

/**
 * Every code as clients of the Messages API see it. 529 is their own word for "nobody can answer now";
 * `api_error` is shown to the user at once, `overloaded_error` is tried again.
 */
export const ANTHROPIC_ERRORS: Readonly<Record<ErrorCode, AnthropicErrorFacts>> = {
  invalid_request: fact(400, "invalid_request_error"),
  invalid_json: fact(400, "invalid_request_error"),
  invalid_body_encoding: fact(400, "invalid_request_error"),
  context_length_exceeded: fact(400, "invalid_request_error"),
  content_policy: fact(400, "invalid_request_error"),
  unsupported_parameter: fact(400, "invalid_request_error"),
  bad_request: fact(400, "invalid_request_error"),
  previous_response_not_found: fact(400, "invalid_request_error"),
  invalid_api_key: fact(401, "authentication_error"),
  insufficient_credits: fact(402, "billing_error"),
  admin_key_required: fact(403, "permission_error"),
  host_not_allowed: fact(403, "permission_error"),
  origin_not_allowed: fact(403, "permission_error"),
  config_key_not_writable: fact(403, "permission_error"),
  not_found: fact(404, "not_found_error"),
  model_not_found: fact(404, "not_found_error"),
  item_not_found: fact(404, "not_found_error"),
  method_not_allowed: fact(405, "invalid_request_error"),
  canary_disabled: fact(409, "conflict_error"),
  defined_in_file: fact(409, "conflict_error"),
  runtime_refused: fact(409, "conflict_error"),
  upload_timeout: fact(408, "timeout_error"),
  body_too_large: fact(413, "request_too_large"),
  unsupported_media_type: fact(415, "invalid_request_error"),
  unsupported_encoding: fact(415, "invalid_request_error"),
  invalid_value: fact(422, "invalid_request_error"),
  upgrade_required: fact(426, "invalid_request_error"),
  rate_limit_exceeded: fact(429, "rate_limit_error"),
  client_closed_request: fact(499, "invalid_request_error"),
  internal_error: fact(500, "api_error"),
  upstream_auth: fact(502, "api_error"),
  upstream_error: fact(502, "api_error"),
  upstream_empty: fact(502, "api_error"),
  upstream_bad_answer: fact(502, "api_error"),
  upstream_unreachable: fact(502, "api_error"),
  stream_interrupted: fact(502, "api_error"),
  router_busy: fact(503, "overloaded_error"),
  router_shutdown: fact(503, "overloaded_error"),
  store_unavailable: fact(503, "api_error"),
  upstream_timeout: fact(504, "timeout_error"),
  routing_loop: fact(508, "invalid_request_error"),
  no_target_available: fact(529, "overloaded_error"),
  upstream_overloaded: fact(529, "overloaded_error"),
};
