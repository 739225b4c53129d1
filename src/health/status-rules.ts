import type { BodyForm } from "../protocol/error-body.ts";
import type { FailureKind } from "./failure.ts";

const BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: "auth",
  402: "insufficient_credit",
  403: "auth",
  404: "model_not_found",
  408: "timeout",
  409: "server",
  410: "model_not_found",
  413: "context_length",
  421: "server",
  425: "server",
  429: "rate_limit",
  451: "unknown",
  498: "overloaded",
  499: "unknown",
  504: "timeout",
  // A loop of proxies: what is configured, not how the upstream fares.
  508: "bad_upstream",
  // A CDN's own codes for an origin that did not connect or answer in time.
  522: "timeout",
  524: "timeout",
  529: "overloaded",
};

/** The kind that an HTTP error status means by itself. */
export function kindOfStatus(status: number): FailureKind {
  const known = BY_STATUS[status];
  if (known !== undefined) return known;
  if (status >= 500) return "server";
  return status >= 400 ? "bad_request" : "unknown";
}

interface Page {
  readonly status: number;
  readonly form: BodyForm;
  readonly message: string | null;
}

/**
 * Why a status is not to be taken at its word, or null. A firewall's bare 403 may hang on the text
 * of one prompt, and a 404 that is not the API's own means the address, not the model.
 */
export function distrustOf({ status, form, message }: Page): string | null {
  const bare = form === "empty" || form === "html";
  if (status === 403 && bare) return "a 403 without a word of the API: key, balance or a firewall";
  const noRoute = bare || form === "text" || /^not found\.?$/i.test(message ?? "");
  if (status === 404 && noRoute) return "a 404 that names no model: most likely a wrong base_url";
  return null;
}
