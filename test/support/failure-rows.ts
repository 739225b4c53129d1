import { type Behaviour, refusing } from "./behaving-fleet.ts";
import { completion } from "./scripted-upstream.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const reset: Behaviour = (wire) => wire.reset();

/** What a client is told when nobody else is left. */
interface Alone {
  readonly status: number;
  readonly code: string;
  readonly retry_after: string | null;
  /** `x-should-retry`: null lets an SDK decide. */
  readonly should_retry: "false" | null;
}

export interface FailureRow {
  readonly kind: string;
  /** How the vendor puts it. */
  readonly told: string;
  readonly behaviour: Behaviour;
  /** Calls to the target that fails. */
  readonly calls: number;
  /** Whether another target answers instead. */
  readonly moves: boolean;
  /** What keeps the target out afterwards, and for how long; null if nothing does. */
  readonly bench: { readonly code: string; readonly ms: number | null } | null;
  readonly alone: Alone;
}

const final = (
  status: number,
  code: string,
  retry_after: string | null = null,
  should_retry: "false" | null = retry_after === null ? "false" : null,
): Alone => ({ status, code, retry_after, should_retry });

const cooldown = (ms: number) => ({ code: "cooldown", ms });

/** Every kind of failure as a vendor tells it, with all that follows from it. */
export const FAILURES: readonly FailureRow[] = [
  {
    kind: "rate_limit",
    told: "a 429",
    behaviour: refusing(429, { message: "slow down", type: "rate_limit_error" }),
    calls: 1,
    moves: true,
    bench: cooldown(20 * SECOND),
    alone: final(429, "rate_limit_exceeded", "20"),
  },
  {
    kind: "rate_limit",
    told: "a 429 with a wait",
    behaviour: refusing(429, { message: "slow down" }, { "retry-after": "90" }),
    calls: 1,
    moves: true,
    bench: cooldown(90 * SECOND),
    alone: final(429, "rate_limit_exceeded", "90", "false"),
  },
  {
    kind: "overloaded",
    told: "a 503 that says overloaded",
    behaviour: refusing(503, { message: "The engine is currently overloaded" }),
    calls: 2,
    moves: true,
    bench: cooldown(15 * SECOND),
    alone: final(503, "upstream_overloaded", "15"),
  },
  {
    kind: "insufficient_credit",
    told: "a 429 that is billing",
    behaviour: refusing(429, { message: "You exceeded your quota", code: "insufficient_quota" }),
    calls: 1,
    moves: true,
    bench: cooldown(10 * MINUTE),
    alone: final(402, "insufficient_credits"),
  },
  {
    kind: "insufficient_credit",
    told: "a 400 that is credit",
    behaviour: refusing(400, {
      type: "invalid_request_error",
      message: "Your credit balance is too low to access the API.",
    }),
    calls: 1,
    moves: true,
    bench: cooldown(10 * MINUTE),
    alone: final(402, "insufficient_credits"),
  },
  {
    kind: "auth",
    told: "a 401",
    behaviour: refusing(401, { message: "Incorrect API key", code: "invalid_api_key" }),
    calls: 1,
    moves: true,
    bench: { code: "unusable_auth", ms: null },
    alone: final(502, "upstream_auth"),
  },
  {
    kind: "moderation",
    told: "a 403 that is moderation",
    behaviour: refusing(403, {
      code: 403,
      message: "Your input was flagged",
      metadata: { reasons: ["violence"], flagged_input: "…", provider_name: "P" },
    }),
    calls: 1,
    moves: false,
    bench: null,
    alone: final(400, "content_policy"),
  },
  {
    kind: "model_not_found",
    told: "a 400 that is a missing model",
    behaviour: refusing(400, { message: "The model `m` does not exist", type: "invalid" }),
    calls: 1,
    moves: true,
    bench: cooldown(10 * MINUTE),
    alone: final(404, "model_not_found"),
  },
  {
    kind: "context_length",
    told: "a 400 with a code",
    behaviour: refusing(400, {
      code: "context_length_exceeded",
      message: "This model's maximum context length is 8192 tokens",
    }),
    calls: 1,
    moves: true,
    bench: null,
    alone: final(400, "context_length_exceeded"),
  },
  {
    kind: "request_too_large_for_tier",
    told: "a 429 that no wait would change",
    behaviour: refusing(429, {
      code: "rate_limit_exceeded",
      type: "tokens",
      message:
        "Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced in order to run successfully.",
    }),
    calls: 1,
    moves: true,
    bench: null,
    alone: final(429, "rate_limit_exceeded"),
  },
  {
    kind: "bad_request",
    told: "a 400",
    behaviour: refusing(400, { message: "`messages` must alternate", param: "messages" }),
    calls: 1,
    moves: false,
    bench: null,
    alone: final(400, "bad_request"),
  },
  {
    kind: "unsupported_param",
    told: "a 400 about a parameter",
    behaviour: refusing(400, {
      message: "Unsupported parameter: 'max_tokens' is not supported with this model.",
      type: "invalid_request_error",
      param: "max_tokens",
      code: "unsupported_parameter",
    }),
    calls: 1,
    moves: true,
    bench: null,
    alone: final(400, "unsupported_parameter"),
  },
  {
    kind: "timeout",
    told: "a 504",
    behaviour: refusing(504, "gateway timeout"),
    calls: 1,
    moves: true,
    bench: cooldown(15 * SECOND),
    alone: final(504, "upstream_timeout"),
  },
  {
    kind: "server",
    told: "a 500",
    behaviour: refusing(500, { message: "internal" }),
    calls: 2,
    moves: true,
    bench: cooldown(10 * SECOND),
    alone: final(502, "upstream_error"),
  },
  {
    kind: "network",
    told: "a reset connection",
    behaviour: reset,
    calls: 2,
    moves: true,
    bench: cooldown(10 * SECOND),
    alone: final(502, "upstream_unreachable"),
  },
  {
    kind: "unknown",
    told: "a 404 that is a page",
    behaviour: refusing(404, "page not found"),
    calls: 2,
    moves: true,
    bench: cooldown(10 * SECOND),
    alone: final(502, "upstream_error"),
  },
  {
    kind: "bad_upstream",
    told: "a redirect",
    behaviour: (wire) => wire.json("", 302, { location: "http://elsewhere.example/" }),
    calls: 1,
    moves: true,
    bench: cooldown(10 * MINUTE),
    alone: final(502, "upstream_bad_answer"),
  },
  {
    kind: "malformed_empty",
    told: "a 200 without content",
    behaviour: (wire) => wire.json(completion("")),
    calls: 1,
    moves: true,
    bench: null,
    alone: final(502, "upstream_empty"),
  },
];
