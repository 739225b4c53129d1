import { hopHeaders, isHeaderValue } from "./connection-header.ts";

/** What an upstream may say to the client besides status and body. Everything else stays here. */
const ALLOWED = new Set([
  "openai-processing-ms",
  "openai-version",
  "x-generation-id",
  "x-groq-region",
  "request-id",
]);

/** Rate limit headers in the spellings of the vendors we know. */
const ALLOWED_PREFIXES = [
  "x-ratelimit-",
  "ratelimit-",
  "ratelimitbysize-",
  "x-tokenlimit-",
  "anthropic-ratelimit-",
];

const MAX_VALUE_LENGTH = 1024;

/** Headers that are passed on, by name in lower case. */
export type PassedHeaders = Readonly<Record<string, string>>;

/**
 * The upstream's headers that go to the client of a committed answer. Never from a failed attempt:
 * its limits are not those of the target that answers. `retry-after` and content headers are the relay's.
 */
export function inboundHeaders(upstream: Headers): PassedHeaders {
  let hops: ReadonlySet<string> | undefined;
  const passed: Record<string, string> = {};
  // One call for all of them: stepping through headers makes a pair for each.
  const all = upstream.toJSON();
  for (const name in all) {
    if (!isAllowed(name)) continue;
    hops ??= hopHeaders(upstream);
    const value = all[name] ?? "";
    if (hops.has(name) || value.length > MAX_VALUE_LENGTH) continue;
    if (isHeaderValue(value)) passed[name] = value;
  }
  return passed;
}

function isAllowed(name: string): boolean {
  return ALLOWED.has(name) || ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
