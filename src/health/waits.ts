import type { ErrorBody } from "../protocol/error-body.ts";
import {
  LONGEST_WAIT_MS,
  type NamedWait,
  type ReadHeader,
  readRetryAfter,
} from "../protocol/retry-after.ts";
import { FAILURE_FACTS } from "./failure-facts.ts";
import type { Failure, FailureKind, HealthScope } from "./failure.ts";

/** An upstream's error answer, read. */
export interface Answer {
  readonly vendor: string;
  /** HTTP status, or the one a body inside a 200 names; null if there is none. */
  readonly status: number | null;
  readonly header: ReadHeader;
  readonly body: ErrorBody;
  /** The body's codes, then those of headers. */
  readonly codes: readonly string[];
  /** Epoch ms. */
  readonly now: number;
}

/** Kinds that no short wait cures: a vendor's hint can lengthen their bench, never shorten it. */
export const AT_LEAST_DEFAULT: ReadonlySet<FailureKind> = new Set([
  "insufficient_credit",
  "model_not_found",
  "bad_upstream",
]);

/** A quota that comes back in days. */
const DISTANT = /(?:per[ _-]?|\/ ?)(?:day|week|month)|\b(?:daily|weekly|monthly)\b|\b[RT]PD\b/i;

/** The vendor's wait and the bench that follows from it, for a kind that has a clock. */
export function timing(
  kind: FailureKind,
  answer: Answer,
): Pick<Failure, "retry_after_ms" | "cooldown_ms"> {
  const { cooldown_ms } = FAILURE_FACTS[kind];
  if (cooldown_ms === null || cooldown_ms === 0) return { retry_after_ms: null, cooldown_ms };
  const retry_after_ms = waitFor(kind, answer);
  if (retry_after_ms === null) return { retry_after_ms, cooldown_ms };
  const floor = AT_LEAST_DEFAULT.has(kind) ? cooldown_ms : 0;
  return { retry_after_ms, cooldown_ms: Math.max(retry_after_ms, floor) };
}

function waitFor(kind: FailureKind, { header, body, now }: Answer): number | null {
  const found = readRetryAfter({ header, body, now });
  if (kind === "rate_limit") return rateLimitWait(found, body);
  // Reset headers come with any answer; only a rate limit is about them.
  return found === null || found.source === "reset_header" ? null : found.wait_ms;
}

function rateLimitWait(found: NamedWait | null, { quotas, message }: ErrorBody): number | null {
  if (found?.source === "header" || found?.source === "reset_header") return found.wait_ms;
  // Google adds a delay of seconds to a quota that comes back tomorrow, or that a plan has none of.
  const isDistant = quotas.some((quota) => DISTANT.test(quota));
  if (isDistant || /\blimit: 0(?![.\d])/.test(message ?? "")) return LONGEST_WAIT_MS;
  if (found !== null) return found.wait_ms;
  return DISTANT.test(message ?? "") ? LONGEST_WAIT_MS : null;
}

/** A rate limit benches the whole instance only where the answer says that the account is meant. */
export function rateLimitScope(answer: Answer): HealthScope {
  const { header, body } = answer;
  if (body.inner !== null || body.codes.includes("upstream_provider_shared_pool")) return "target";
  const isAccount =
    body.codes.includes("openrouter_in_flight_budget") ||
    answer.status === 402 ||
    header("anthropic-ratelimit-unified-status") === "rejected" ||
    /free-models-per-|\baccount (?:\S+ )?(?:has )?reached\b/i.test(body.message ?? "") ||
    isOpenRoutersOwn(answer);
  return isAccount ? "instance" : "target";
}

/** OpenRouter sends limit headers for its own limits only; those of its vendors carry a provider's name. */
function isOpenRoutersOwn({ vendor, header, body: { metadata } }: Answer): boolean {
  if (!/openrouter/i.test(vendor) || Boolean(metadata?.["provider_name"])) return false;
  return header("x-ratelimit-reset") !== null || metadata?.["headers"] !== undefined;
}
