import { once } from "../lib/memoize.ts";
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

/**
 * The upstream's headers that go to the client of a committed answer. Never from a failed attempt:
 * its limits are not those of the target that answers. `retry-after` and content headers are the relay's.
 */
export function inboundHeaders(upstream: Headers): Headers {
  const hops = once(() => hopHeaders(upstream));
  const passed = new Headers();
  for (const [name, value] of upstream) {
    const isAllowed =
      ALLOWED.has(name) || ALLOWED_PREFIXES.some((prefix) => name.startsWith(prefix));
    if (!isAllowed || hops().has(name) || value.length > MAX_VALUE_LENGTH) continue;
    if (isHeaderValue(value)) passed.set(name, value);
  }
  return passed;
}
