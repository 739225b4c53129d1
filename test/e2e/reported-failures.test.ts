import { describe, expect, test } from "bun:test";

import { type Behaviour, fine, refusing, startFleet } from "../support/behaving-fleet.ts";

/** An upstream's answer as somebody reported it, and what has to come of it. */
interface Report {
  readonly id: string;
  readonly answer: Behaviour;
  readonly kind: string;
  /** What keeps the target out afterwards; null if nothing does. */
  readonly bench: string | null;
  /** The same answer with nobody left. */
  readonly status: number;
  readonly retry_after?: string;
}

/** The fleet's clock stands at 2025-11-30T00:00:00Z. */
const IN_TWO_MINUTES = "Sun, 30 Nov 2025 00:02:00 GMT";

const limited = (retry_after: string) =>
  refusing(429, { message: "slow down" }, { "retry-after": retry_after });

const anthropic = (status: number, error: object, headers: Record<string, string> = {}) =>
  refusing(status, JSON.stringify({ type: "error", error }), headers);

const NO_CREDIT = { kind: "insufficient_credit", status: 402 };
const CREDIT_BENCH = "600 s left after insufficient_credit, for the whole instance";
const TOO_LONG = { kind: "context_length", bench: null, status: 400 };
const NO_MODEL = {
  kind: "model_not_found",
  status: 404,
  bench: "600 s left after model_not_found",
};
const BUSY = { kind: "rate_limit", status: 429 };
const DEFAULT_WAIT = { ...BUSY, bench: "20 s left after rate_limit", retry_after: "20" };

const reported = (id: string, answer: Behaviour, outcome: Omit<Report, "id" | "answer">) => ({
  id,
  answer,
  ...outcome,
});

const google = (quotaId: string) =>
  refusing(429, {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: "You exceeded your current quota, please check your plan and billing details.",
    details: [
      { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId }] },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "26s" },
    ],
  });

const REPORTS: readonly Report[] = [
  {
    id: "retry-after-01: a date",
    answer: limited(IN_TWO_MINUTES),
    ...BUSY,
    bench: "120 s left after rate_limit",
    retry_after: "120",
  },
  ...["soon", "", "-3", "+3", "120, 60"].map((value) => {
    return reported(`retry-after-02: \`${value}\``, limited(value), DEFAULT_WAIT);
  }),
  {
    id: "retry-after-02: a fraction",
    answer: limited("1.5"),
    ...BUSY,
    bench: "2 s left after rate_limit",
    retry_after: "2",
  },
  {
    id: "retry-after-02: thousands of years",
    answer: limited("99999999999"),
    ...BUSY,
    bench: "3600 s left after rate_limit",
    retry_after: "3600",
  },
  {
    id: "retry-after-04: the wait of a minute's quota, in the body",
    answer: google("GenerateContentInputTokensPerModelPerMinute-FreeTier"),
    ...BUSY,
    bench: "26 s left after rate_limit",
    retry_after: "26",
  },
  {
    id: "retry-after-04: a day's quota",
    answer: google("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
    ...BUSY,
    bench: "3600 s left after rate_limit",
    retry_after: "3600",
  },
  {
    id: "retry-after-05: a reset hours away, in words",
    answer: refusing(429, {
      message: "Your quota has been exhausted. The quota will reset at 2025-12-01 08:00:00",
      type: "rate_limit",
    }),
    ...BUSY,
    bench: "3600 s left after rate_limit",
    retry_after: "3600",
  },
  {
    id: "credit-01: a 429",
    answer: refusing(429, {
      message: "You exceeded your current quota, please check your plan and billing details.",
      type: "insufficient_quota",
      param: null,
      code: "insufficient_quota",
    }),
    ...NO_CREDIT,
    bench: CREDIT_BENCH,
  },
  {
    id: "credit-02: a 400",
    answer: anthropic(400, {
      type: "invalid_request_error",
      message: "Your credit balance is too low to access the Anthropic API.",
    }),
    ...NO_CREDIT,
    bench: CREDIT_BENCH,
  },
  {
    id: "credit-02: a 402",
    answer: anthropic(402, { type: "billing_error", message: "…" }),
    ...NO_CREDIT,
    bench: CREDIT_BENCH,
  },
  {
    id: "credit-04: a 429 typed as a rate limit",
    answer: anthropic(429, {
      type: "rate_limit_error",
      code: "1113",
      message: "[1113][Insufficient balance or no resource package. Please recharge.]",
    }),
    ...NO_CREDIT,
    bench: CREDIT_BENCH,
  },
  {
    id: "credit-05: behind an aggregator",
    answer: refusing(429, {
      message: "Error from provider",
      code: 429,
      metadata: {
        raw: '{"error":{"message":"Your account <id> is suspended due to insufficient balance","type":"exceeded_current_quota_error"}}',
      },
    }),
    ...NO_CREDIT,
    bench: "600 s left after insufficient_credit",
  },
  ...[
    {
      message: "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
      code: 400,
    },
    { message: "Input length (265330) exceeds model's maximum context length (262144)." },
    { code: "1261", message: "Prompt exceeds max length" },
  ].map((error) => {
    return reported(`context-length-01: ${error.message}`, refusing(400, error), TOO_LONG);
  }),
  {
    id: "context-length-03: throttling in words of tokens",
    answer: (wire) =>
      wire.json({ message: "Too many tokens, please wait before trying again." }, 429, {
        "x-amzn-errortype":
          "ThrottlingException:http://internal.amazon.com/coral/com.amazon.bedrock/",
      }),
    ...DEFAULT_WAIT,
  },
  {
    id: "context-length-04: input tokens per minute",
    answer: anthropic(429, {
      type: "rate_limit_error",
      message:
        "This request would exceed the rate limit for your organization of 20,000 input tokens per minute.",
    }),
    ...DEFAULT_WAIT,
  },
  {
    id: "context-length-06: larger than a minute of the plan",
    answer: refusing(413, {
      message:
        "Request too large for model `llama-3.1-8b-instant` … on tokens per minute (TPM): Limit 6000, Requested 12328",
      type: "tokens",
      code: "rate_limit_exceeded",
    }),
    kind: "request_too_large_for_tier",
    status: 429,
    bench: null,
  },
  {
    id: "model-routing-01: a model that is gone",
    answer: refusing(400, { message: "No model found: foo-70b" }),
    ...NO_MODEL,
  },
  {
    id: "model-routing-01: an id that is none",
    answer: (wire) =>
      wire.json(
        {
          error: { message: "foo/bar:free is not a valid model ID", code: 400 },
          user_id: "u",
        },
        400,
      ),
    ...NO_MODEL,
  },
  {
    id: "model-routing-02: a 401",
    answer: anthropic(401, { type: "ModelError", message: "Model foo/bar is not supported" }),
    ...NO_MODEL,
  },
  {
    id: "failover-06: a pool of an aggregator's upstream",
    answer: refusing(429, {
      code: 429,
      message: "Provider returned error",
      metadata: {
        raw: "x is temporarily rate-limited upstream",
        provider_name: "P",
        limit_source: "upstream_provider_shared_pool",
      },
    }),
    ...DEFAULT_WAIT,
  },
  {
    id: "failover-06: the whole account",
    answer: refusing(429, { message: "Rate limit exceeded: free-models-per-day", code: 429 }),
    ...BUSY,
    bench: "3600 s left after rate_limit, for the whole instance",
    retry_after: "3600",
  },
  {
    id: "failover-08: a failed call upstream",
    answer: refusing(400, {
      message: "Error from provider (Console Go): Upstream request failed",
      type: "invalid_request_error",
      code: "invalid_request_error",
    }),
    kind: "server",
    status: 502,
    bench: "10 s left after server",
  },
  {
    id: "failover-08: a busy worker upstream",
    answer: refusing(400, {
      message:
        "Upstream error from Nvidia: ResourceExhausted: Worker local total request limit reached (32/32)",
    }),
    kind: "overloaded",
    status: 503,
    bench: "15 s left after overloaded",
    retry_after: "15",
  },
];

describe.each([{ stream: false }, { stream: true }])("stream: $stream", ({ stream }) => {
  test.each(REPORTS)("$id is $kind, moves on and ends as $status", async (report) => {
    const { answer, kind, bench, status, retry_after = null } = report;
    await using fleet = await startFleet(
      { a: answer, b: fine },
      { config: '[pools]\nalone = ["a:m"]\n[routing]\nretries = 0\n' },
    );

    const moved = await fleet.ask({ stream });
    const reasons = await fleet.reasons("a:m");
    await fleet.router.post("/admin/v1/health/clear", { subject: "a" });
    const alone = await fleet.ask({ model: "pool:alone", stream });

    expect(moved.attempts).toEqual([`a:m ${kind}`, "b:m ok"]);
    expect(moved.status).toBe(200);
    expect(reasons.map(({ detail }) => detail)).toEqual(bench === null ? [] : [bench]);
    expect(alone).toMatchObject({ status, retry_after, attempts: [`a:m ${kind}`] });
  });

  test("failover-05: a target that the first failure benched is not asked again", async () => {
    await using fleet = await startFleet(
      { a: limited("60"), b: fine },
      { config: "[routing]\nretries = 1\n" },
    );

    expect((await fleet.ask({ stream })).attempts).toEqual(["a:m rate_limit", "b:m ok"]);
    expect((await fleet.ask({ stream })).attempts).toEqual(["b:m ok"]);
  });

  test("circuit-breaker-06: a wait of 15 s is kept whole, however often somebody asks", async () => {
    await using fleet = await startFleet({ a: limited("15"), b: fine });

    for (let n = 0; n < 3; n++) {
      await fleet.ask({ stream });
      fleet.clock.move(4999);
    }
    expect(fleet.calls("a")).toBe(1);
    fleet.clock.move(3);
    await fleet.ask({ stream });

    expect(fleet.calls("a")).toBe(2);
  });

  test("circuit-breaker-03: twenty filtered prompts leave the target as it was", async () => {
    const filtered = refusing(400, {
      code: "content_filter",
      message: "The response was filtered due to the prompt triggering the content policy.",
      param: "prompt",
      innererror: { code: "ResponsibleAIPolicyViolation" },
    });
    await using fleet = await startFleet({ a: filtered });

    for (let n = 0; n < 20; n++) expect((await fleet.ask({ stream })).status).toBe(400);
    fleet.set("a", fine);

    expect(await fleet.ask({ stream })).toMatchObject({ status: 200, degraded: false });
  });
});
