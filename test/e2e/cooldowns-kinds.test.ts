import { describe, expect, test } from "bun:test";

import { type Behaviour, fine, refusing, startFleet } from "../support/behaving-fleet.ts";
import { completion } from "../support/scripted-upstream.ts";

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

interface Row {
  readonly kind: string;
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

const KINDS: readonly Row[] = [
  {
    kind: "rate_limit",
    behaviour: refusing(429, { message: "slow down", type: "rate_limit_error" }),
    calls: 1,
    moves: true,
    bench: cooldown(20 * SECOND),
    alone: final(429, "rate_limit_exceeded", "20"),
  },
  {
    kind: "rate_limit",
    behaviour: refusing(429, { message: "slow down" }, { "retry-after": "90" }),
    calls: 1,
    moves: true,
    bench: cooldown(90 * SECOND),
    alone: final(429, "rate_limit_exceeded", "90", "false"),
  },
  {
    kind: "overloaded",
    behaviour: refusing(503, { message: "The engine is currently overloaded" }),
    calls: 2,
    moves: true,
    bench: cooldown(15 * SECOND),
    alone: final(503, "upstream_overloaded", "15"),
  },
  {
    kind: "insufficient_credit",
    behaviour: refusing(429, { message: "You exceeded your quota", code: "insufficient_quota" }),
    calls: 1,
    moves: true,
    bench: cooldown(10 * MINUTE),
    alone: final(402, "insufficient_credits"),
  },
  {
    kind: "insufficient_credit",
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
    behaviour: refusing(401, { message: "Incorrect API key", code: "invalid_api_key" }),
    calls: 1,
    moves: true,
    bench: { code: "unusable_auth", ms: null },
    alone: final(502, "upstream_auth"),
  },
  {
    kind: "moderation",
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
    behaviour: refusing(400, { message: "The model `m` does not exist", type: "invalid" }),
    calls: 1,
    moves: true,
    bench: cooldown(10 * MINUTE),
    alone: final(404, "model_not_found"),
  },
  {
    kind: "context_length",
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
    behaviour: refusing(400, { message: "`messages` must alternate", param: "messages" }),
    calls: 1,
    moves: false,
    bench: null,
    alone: final(400, "bad_request"),
  },
  {
    kind: "timeout",
    behaviour: refusing(504, "gateway timeout"),
    calls: 1,
    moves: true,
    bench: cooldown(15 * SECOND),
    alone: final(504, "upstream_timeout"),
  },
  {
    kind: "server",
    behaviour: refusing(500, { message: "internal" }),
    calls: 2,
    moves: true,
    bench: cooldown(10 * SECOND),
    alone: final(502, "upstream_error"),
  },
  {
    kind: "network",
    behaviour: reset,
    calls: 2,
    moves: true,
    bench: cooldown(10 * SECOND),
    alone: final(502, "upstream_unreachable"),
  },
  {
    kind: "bad_upstream",
    behaviour: (wire) => wire.json("", 302, { location: "http://elsewhere.example/" }),
    calls: 1,
    moves: true,
    bench: cooldown(10 * MINUTE),
    alone: final(502, "upstream_bad_answer"),
  },
  {
    kind: "malformed_empty",
    behaviour: (wire) => wire.json(completion("")),
    calls: 1,
    moves: true,
    bench: null,
    alone: final(502, "upstream_empty"),
  },
];

const cases = KINDS.flatMap((row) => [
  { ...row, stream: false },
  { ...row, stream: true },
]);

describe.each(cases)("$kind, stream: $stream", ({ kind, behaviour, stream, ...row }) => {
  test("is called, moved and benched as its kind says", async () => {
    await using fleet = await startFleet({ a: behaviour, b: fine });

    const told = await fleet.ask({ stream });

    expect(fleet.calls("a")).toBe(row.calls);
    expect(fleet.calls("b")).toBe(row.moves ? 1 : 0);
    expect(told.attempts).toEqual([
      ...Array.from({ length: row.calls }, () => `a:m ${kind}`),
      ...(row.moves ? ["b:m ok"] : []),
    ]);
    expect((await fleet.reasons("a:m")).map(({ code }) => code)).toEqual(
      row.bench === null ? [] : [row.bench.code],
    );
  });

  test("ends as its kind says when nobody else is left", async () => {
    await using fleet = await startFleet({ a: behaviour });

    const { status, code, retry_after, should_retry } = await fleet.ask({ stream });

    expect({ status, code, retry_after, should_retry }).toEqual(row.alone);
    expect(fleet.calls("a")).toBe(row.calls);
  });
});

const timed = cases.flatMap(({ kind, behaviour, stream, bench }) => {
  const ms = bench?.ms ?? null;
  return ms === null ? [] : [{ kind, behaviour, stream, ms }];
});

test.each(timed)(
  "$kind is over after $ms ms, not before, stream: $stream",
  async ({ behaviour, stream, ms }) => {
    await using fleet = await startFleet({ a: behaviour, b: fine });
    await fleet.ask({ stream });
    fleet.set("a", fine);

    fleet.clock.move(ms - 1);
    expect((await fleet.ask({ stream })).target).toBe("b:m");
    fleet.clock.move(1);

    expect((await fleet.ask({ stream })).target).toBe("a:m");
  },
);
