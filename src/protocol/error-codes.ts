/** Who has to act on an error, in the words of OpenAI's envelope. */
export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "permission_error"
  | "not_found_error"
  | "rate_limit_error"
  | "insufficient_quota"
  | "server_error"
  | "api_error";

interface ErrorFacts {
  readonly status: number;
  readonly type: ErrorType;
}

const fact = (status: number, type: ErrorType): ErrorFacts => ({ status, type });

/** Every code a caller can see, with its HTTP status. docs/errors.md lists the same codes. */
export const ERRORS = {
  invalid_request: fact(400, "invalid_request_error"),
  invalid_json: fact(400, "invalid_request_error"),
  invalid_body_encoding: fact(400, "invalid_request_error"),
  context_length_exceeded: fact(400, "invalid_request_error"),
  content_policy: fact(400, "invalid_request_error"),
  unsupported_parameter: fact(400, "invalid_request_error"),
  previous_response_not_found: fact(400, "invalid_request_error"),
  bad_request: fact(400, "invalid_request_error"),
  invalid_api_key: fact(401, "authentication_error"),
  insufficient_credits: fact(402, "insufficient_quota"),
  admin_key_required: fact(403, "permission_error"),
  host_not_allowed: fact(403, "permission_error"),
  origin_not_allowed: fact(403, "permission_error"),
  config_key_not_writable: fact(403, "permission_error"),
  not_found: fact(404, "not_found_error"),
  item_not_found: fact(404, "invalid_request_error"),
  model_not_found: fact(404, "invalid_request_error"),
  method_not_allowed: fact(405, "invalid_request_error"),
  canary_disabled: fact(409, "invalid_request_error"),
  defined_in_file: fact(409, "invalid_request_error"),
  runtime_refused: fact(409, "invalid_request_error"),
  upload_timeout: fact(408, "invalid_request_error"),
  body_too_large: fact(413, "invalid_request_error"),
  unsupported_media_type: fact(415, "invalid_request_error"),
  unsupported_encoding: fact(415, "invalid_request_error"),
  invalid_value: fact(422, "invalid_request_error"),
  upgrade_required: fact(426, "invalid_request_error"),
  rate_limit_exceeded: fact(429, "rate_limit_error"),
  client_closed_request: fact(499, "invalid_request_error"),
  internal_error: fact(500, "server_error"),
  upstream_auth: fact(502, "server_error"),
  upstream_error: fact(502, "server_error"),
  upstream_empty: fact(502, "server_error"),
  upstream_bad_answer: fact(502, "server_error"),
  upstream_unreachable: fact(502, "server_error"),
  stream_interrupted: fact(502, "api_error"),
  no_target_available: fact(503, "server_error"),
  router_busy: fact(503, "server_error"),
  router_shutdown: fact(503, "server_error"),
  upstream_overloaded: fact(503, "server_error"),
  store_unavailable: fact(503, "server_error"),
  upstream_timeout: fact(504, "server_error"),
  routing_loop: fact(508, "invalid_request_error"),
} as const satisfies Record<string, ErrorFacts>;

export type ErrorCode = keyof typeof ERRORS;
