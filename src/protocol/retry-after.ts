import type { ErrorBody } from "./error-body.ts";
import { objectOf } from "./openai/fields.ts";
import { readWait, readWaitText } from "./wait-text.ts";

/** A wait is never shorter than a second and never trusted beyond an hour. */
const SHORTEST_MS = 1000;
export const LONGEST_WAIT_MS = 3_600_000;

/** The value of a header, by lower-case name; null if it is absent. */
export type ReadHeader = (name: string) => string | null;

export interface RetryAfterSource {
  readonly header: ReadHeader;
  readonly body: Pick<ErrorBody, "message" | "metadata" | "wait" | "inner"> | null;
  /** Epoch ms. */
  readonly now: number;
}

/** Header names of a limit: when it resets and what is left of it. */
interface Limit {
  readonly reset: string;
  readonly remaining: string;
}

const between = (prefix: string, suffixes: readonly string[]): Limit[] =>
  suffixes.map((suffix) => ({
    reset: `${prefix}-reset-${suffix}`,
    remaining: `${prefix}-remaining-${suffix}`,
  }));

const LIMITS: readonly Limit[] = [
  ...between("x-ratelimit", [
    "requests",
    "tokens",
    "requests-minute",
    "requests-hour",
    "requests-day",
    "tokens-minute",
    "tokens-hour",
    "tokens-day",
    "req-minute",
  ]),
  { reset: "x-ratelimit-reset", remaining: "x-ratelimit-remaining" },
  { reset: "ratelimit-reset", remaining: "ratelimit-remaining" },
  ...[
    "ratelimit-requests",
    "ratelimit-tokens",
    "ratelimit-input-tokens",
    "ratelimit-output-tokens",
    "priority-input-tokens",
    "priority-output-tokens",
  ].map((name) => ({
    reset: `anthropic-${name}-reset`,
    remaining: `anthropic-${name}-remaining`,
  })),
];

/** Where a wait was named: a header is the vendor's word, a sentence its weakest form. */
export interface NamedWait {
  readonly wait_ms: number;
  readonly source: "header" | "reset_header" | "field" | "text";
}

/**
 * The wait an answer names, clamped to 1 s … 1 h, and where it stood; null if it names none. In order:
 * `retry-after-ms`, `retry-after`, reset headers of exhausted limits, a field of the body, its text.
 */
export function readRetryAfter({ body, now, ...source }: RetryAfterSource): NamedWait | null {
  const header = withBodyHeaders(source.header, body);
  const milliseconds = header("retry-after-ms")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(milliseconds)) return named(Number(milliseconds), "header");
  const seconds = header("retry-after");
  const wait = seconds === null ? null : readWait(seconds, now);
  if (wait !== null) return named(wait, "header");
  const reset = longestReset(header, now);
  if (reset !== null) return named(reset, "reset_header");
  return body === null ? null : waitOfBody(body, now);
}

function named(wait_ms: number, source: NamedWait["source"]): NamedWait {
  const clamped = Math.min(Math.max(Math.ceil(wait_ms), SHORTEST_MS), LONGEST_WAIT_MS);
  return { wait_ms: clamped, source };
}

function waitOfBody(body: NonNullable<RetryAfterSource["body"]>, now: number): NamedWait | null {
  const field = body.wait === null ? null : readWait(body.wait, now);
  if (field !== null) return named(field, "field");
  const text = body.message === null ? null : readWaitText(body.message, now);
  if (text !== null) return named(text, "text");
  return body.inner === null ? null : waitOfBody(body.inner, now);
}

/** OpenRouter repeats its limit headers in the body, where a relay in between cannot lose them. */
function withBodyHeaders(header: ReadHeader, body: RetryAfterSource["body"]): ReadHeader {
  const inBody = Object.entries(objectOf(body?.metadata?.["headers"])).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const copies = new Map(inBody);
  return (name) => {
    const copy = copies.get(name);
    return (
      header(name) ?? (typeof copy === "string" || typeof copy === "number" ? `${copy}` : null)
    );
  };
}

/**
 * Limits are listed on every answer of some vendors, so only one with nothing left counts. When two
 * are exhausted the longer reset decides.
 */
function longestReset(header: ReadHeader, now: number): number | null {
  const resets = LIMITS.filter(({ remaining }) => isUsedUp(header(remaining)))
    .map(({ reset }) => header(reset))
    .concat(isRejected(header) ? header("anthropic-ratelimit-unified-reset") : null)
    .map((value) => (value === null ? null : readWait(value, now)))
    .filter((wait) => wait !== null);
  return resets.length === 0 ? null : Math.max(...resets);
}

function isUsedUp(remaining: string | null): boolean {
  return remaining === null || Number(remaining) <= 0;
}

/** Subscriptions: the limit of the whole account, on every answer, with its state beside it. */
function isRejected(header: ReadHeader): boolean {
  return header("anthropic-ratelimit-unified-status") === "rejected";
}
