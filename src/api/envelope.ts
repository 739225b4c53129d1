import type { Dialect } from "../protocol/dialect.ts";
import type { Envelope } from "./refusal.ts";

const MESSAGES = /^\/(?:v1|anthropic)\/(?:v1\/)?messages(?:\/|$)/;
const RESPONSES = /^\/v1\/responses(?:\/|$)/;

/**
 * The shape of an error by the path alone: it must be right before any route is known. Decides about
 * looks only, never about access.
 */
export function envelopeOf(request: Request): Envelope {
  // A Host header that is no host makes the URL invalid or relative.
  const path = URL.parse(request.url, "http://localhost")?.pathname ?? "";
  if (MESSAGES.test(path) || path.startsWith("/anthropic/")) return "anthropic";
  if (!path.startsWith("/v1/")) return "admin";
  if (RESPONSES.test(path)) return "responses";
  // Both kinds of SDKs list models at the same path; only one of them names a version.
  return request.headers.has("anthropic-version") ? "anthropic" : "openai";
}

/** The shape of errors for clients of a dialect. */
export function envelopeFor(dialect: Dialect): Envelope {
  if (dialect === "messages") return "anthropic";
  return dialect === "responses" ? "responses" : "openai";
}
