import { type ErrorCode, ERRORS } from "../protocol/error-codes.ts";
import { openAiError } from "../protocol/openai/error-envelope.ts";

/** Why the API itself turns a request down, before any shape. Never holds a key or body text. */
export interface Refusal {
  readonly code: ErrorCode;
  /** What failed, on what, and what to do. */
  readonly message: string;
  readonly param?: string | null;
  /** Machine-readable facts for the admin envelope. */
  readonly details?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Envelope = "openai" | "admin";

/** The one place where a refusal becomes a response. */
export function refuse(envelope: Envelope, refusal: Refusal): Response {
  const { status } = ERRORS[refusal.code];
  const headers = new Headers(refusal.headers);
  if (envelope === "admin") return Response.json(adminError(refusal), { status, headers });
  // SDKs repeat every 5xx unless told not to; only a wait we named is worth another try.
  if (!headers.has("retry-after")) headers.set("x-should-retry", "false");
  return Response.json(openAiError(refusal), { status, headers });
}

function adminError({ code, message, param = null, details = null }: Refusal) {
  return { error: { code, message, param, details } };
}

/** Shortened and stripped of what does not print, for a value of ours to be named in a message. */
export function quoted(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, "?");
  return `\`${printable.length > 100 ? `${printable.slice(0, 100)}…` : printable}\``;
}
