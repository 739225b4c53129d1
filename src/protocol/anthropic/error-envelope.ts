import type { ErrorDetails } from "../openai/error-envelope.ts";
import { ANTHROPIC_ERRORS } from "./error-types.ts";
import { eventText } from "./event-text.ts";

/**
 * Anthropic's error envelope. Our own code goes where newer versions of the API put theirs, since the
 * envelope has no member for it.
 */
export function anthropicError(
  { code, message, param = null }: ErrorDetails,
  request_id: string | null = null,
) {
  const details = { error_code: code, ...(param !== null && { param }) };
  return {
    type: "error",
    error: { type: ANTHROPIC_ERRORS[code].type, message, details },
    ...(request_id !== null && { request_id }),
  };
}

/** The error that ends a stream; nothing follows it, `message_stop` would make it a success. */
export function anthropicErrorFrame(
  details: ErrorDetails,
  request_id: string | null = null,
): string {
  return eventText(anthropicError(details, request_id));
}
