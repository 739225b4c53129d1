import { contextOverflowText } from "./anthropic/context-text.ts";
import { anthropicError } from "./anthropic/error-envelope.ts";
import { ANTHROPIC_ERRORS } from "./anthropic/error-types.ts";
import type { Dialect } from "./dialect.ts";
import { type ErrorCode, ERRORS } from "./error-codes.ts";
import { type ErrorDetails, openAiError } from "./openai/error-envelope.ts";
import { responsesStatus } from "./responses/error-status.ts";

/** An error as the clients of one dialect read it. */
interface DialectError {
  readonly status: number;
  readonly body: { readonly error: object };
}

/** The status that an error has in a dialect: clients decide by it whether to try again. */
export function errorStatus(dialect: Dialect, code: ErrorCode): number {
  if (dialect === "messages") return ANTHROPIC_ERRORS[code].status;
  return dialect === "responses" ? responsesStatus(code) : ERRORS[code].status;
}

/** Status and envelope of an error in a dialect. */
export function dialectError(
  dialect: Dialect,
  details: ErrorDetails,
  request_id: string | null = null,
): DialectError {
  const said = inWordsOf(dialect, details);
  const status = errorStatus(dialect, details.code);
  const body = dialect === "messages" ? anthropicError(said, request_id) : openAiError(said);
  return { status, body };
}

/** An overflow begins a compaction in agents that recognise it, which they do by its words. */
export function inWordsOf<T extends ErrorDetails>(dialect: Dialect, details: T): T {
  if (details.code !== "context_length_exceeded") return details;
  const { message } = details;
  if (dialect === "messages") {
    const words = contextOverflowText({ upstream: message, tokens: null, maximum: null });
    return message.includes(words) ? details : { ...details, message: `${words} (${message})` };
  }
  if (/maximum context length/i.test(message)) return details;
  const hint = "the prompt exceeds the model's maximum context length";
  return { ...details, message: `${message}; ${hint}` };
}
