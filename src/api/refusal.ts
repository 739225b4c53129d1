import { dialectError, errorStatus } from "../protocol/dialect-error.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { type ErrorCode, ERRORS } from "../protocol/error-codes.ts";

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

/** Whose clients an error is for. */
export type Envelope = keyof typeof DIALECTS | "admin";

const DIALECTS = {
  openai: "chat",
  responses: "responses",
  anthropic: "messages",
} as const satisfies Record<string, Dialect>;

/** The HTTP status that a code has for these clients. */
export function statusIn(envelope: Envelope, code: ErrorCode): number {
  return envelope === "admin" ? ERRORS[code].status : errorStatus(DIALECTS[envelope], code);
}

/** The one place where a refusal becomes a response. */
export function refuse(envelope: Envelope, refusal: Refusal): Response {
  const headers = new Headers(refusal.headers);
  if (envelope === "admin") {
    const { status } = ERRORS[refusal.code];
    return Response.json(adminError(refusal), { status, headers });
  }
  // SDKs repeat every 5xx unless told not to; only a wait we named is worth another try.
  if (!headers.has("retry-after")) headers.set("x-should-retry", "false");
  const { status, body } = dialectError(DIALECTS[envelope], refusal);
  return Response.json(body, { status, headers });
}

function adminError({ code, message, param = null, details = null }: Refusal) {
  return { error: { code, message, param, details } };
}

/** Shortened and stripped of what does not print, for a value of ours to be named in a message. */
export function quoted(text: string): string {
  const printable = text.replaceAll(/[^\x20-\x7e]/g, "?");
  return `\`${printable.length > 100 ? `${printable.slice(0, 100)}…` : printable}\``;
}
