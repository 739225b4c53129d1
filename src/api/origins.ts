/** An absolute http(s) origin, nothing more: no path, no credentials, no `null`. */
function parseOrigin(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.origin !== text.toLowerCase()) return undefined;
  return url.protocol === "http:" || url.protocol === "https:" ? url : undefined;
}

/** A page of this router itself: the origin's host and port are those the request is addressed to. */
function isOwnOrigin(origin: URL, host: string): boolean {
  const own = `${origin.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === origin.host;
}

/** What the browser's same-origin rule and `server.cors_origins` make of a request. */
export type OriginKind =
  /** No Origin header, or a page of this router. */
  | "own"
  /** Named in `server.cors_origins`: gets CORS headers. */
  | "allowed"
  | "foreign";

/** `host` is a Host header that has passed its own check. */
export function classifyOrigin(
  header: string | null,
  host: string,
  allowed: readonly string[],
): OriginKind {
  if (header === null) return "own";
  const origin = parseOrigin(header);
  if (!origin) return "foreign";
  if (allowed.includes(origin.origin)) return "allowed";
  return isOwnOrigin(origin, host) ? "own" : "foreign";
}

const EXPOSED =
  "x-request-id, request-id, x-veriroute-decision, x-veriroute-target, x-veriroute-attempts, " +
  "x-veriroute-pool, x-veriroute-lane, x-veriroute-warnings, x-should-retry, retry-after, retry-after-ms";

/** Puts the CORS headers of an allowed origin on an answer, refusals included. */
export function allowOrigin(headers: Headers, origin: string): void {
  headers.set("access-control-allow-origin", origin);
  headers.set("access-control-expose-headers", EXPOSED);
}

export function isPreflight(request: Request): boolean {
  return request.method === "OPTIONS" && request.headers.has("access-control-request-method");
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const MAX_HEADER_NAMES = 100;

/** Header names that a preflight asks for, echoed: a fixed list would miss the SDKs' own. */
function requestedHeaders(request: Request): string {
  const asked = request.headers.get("access-control-request-headers") ?? "";
  return asked
    .split(",", MAX_HEADER_NAMES)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => HEADER_NAME.test(name))
    .join(", ");
}

/** The answer to a preflight of an allowed origin; needs no key, since browsers send none. */
export function answerPreflight(request: Request): Response {
  const headers = new Headers({
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-max-age": "600",
  });
  const names = requestedHeaders(request);
  if (names !== "") headers.set("access-control-allow-headers", names);
  // Chrome asks before a public page may reach a loopback or private address.
  if (request.headers.get("access-control-request-private-network") === "true") {
    headers.set("access-control-allow-private-network", "true");
  }
  return new Response(null, { status: 204, headers });
}
