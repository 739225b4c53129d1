import { describe, expect, test } from "bun:test";

import { classify, type Row } from "./classify-answer.ts";

const HOUR = 3_600_000;

const quota = (quotaId: string) => ({
  error: {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    message: "You exceeded your current quota, please check your plan and billing details.",
    details: [{ violations: [{ quotaId }] }, { retryDelay: "26s" }],
  },
});

describe("reports of people who run gateways", () => {
  test.each<Row>([
    {
      report: "mid-stream-error-01: a chunk with an error and no choices",
      body: 'data: {"id":"g","choices":[],"error":{"code":502,"message":"Worker local total request limit reached (33/32)"}}\n\ndata: [DONE]\n\n',
      wants: { kind: "overloaded", status: 502 },
    },
    {
      report: "mid-stream-error-02: a 429 inside a 200",
      body: { error: { code: 429, message: "rate limited by provider" }, user_id: "u" },
      wants: { kind: "rate_limit", status: 429 },
    },
    {
      report: "mid-stream-error-02: a failed choice inside a 200",
      body: { choices: [{ finish_reason: "error", error: { code: 502, message: "bad gateway" } }] },
      wants: { kind: "server", status: 502 },
    },
    {
      report: "mid-stream-error-04: Anthropic's error event without a status",
      body: 'event: message_start\ndata: {"type":"message_start","message":{"role":"assistant"}}\n\nevent: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
      wants: { kind: "overloaded", status: 200 },
    },
    {
      report: "mid-stream-error-05: a plain 400 to a stream",
      status: 400,
      body: { error: { message: "tools rejected" } },
      wants: { kind: "bad_request", message: "tools rejected" },
    },
    {
      report: "mid-stream-error-08: an overflow as the first event",
      body: 'data: {"error":{"message":"context length exceeded from messages","code":400}}\n\n',
      wants: { kind: "context_length", status: 400 },
    },
    {
      report: "failover-08: trouble dressed as the client's fault",
      status: 400,
      body: {
        error: {
          message:
            "Upstream error from Nvidia: ResourceExhausted: Worker local total request limit reached (32/32)",
        },
      },
      wants: { kind: "overloaded" },
    },
    {
      report: "finish-reason-04: a failure that is only a finish reason",
      body: { choices: [{ message: { content: "" }, finish_reason: "error" }] },
      wants: { kind: "server" },
    },
    {
      report: "finish-reason-04: the window ran full",
      body: {
        choices: [{ message: { content: "" }, finish_reason: "model_context_window_exceeded" }],
      },
      wants: { kind: "context_length" },
    },
    {
      report: "model-routing-01: a removed model as a 400",
      status: 400,
      body: { error: { message: "No model found: foo-70b" } },
      wants: { kind: "model_not_found" },
    },
    {
      report: "model-routing-01: a bad id as a 400",
      status: 400,
      body: { error: { message: "foo/bar:free is not a valid model ID", code: 400 }, user_id: "u" },
      wants: { kind: "model_not_found" },
    },
    {
      report: "model-routing-02: an unknown model as a 401",
      status: 401,
      body: {
        type: "error",
        error: { type: "ModelError", message: "Model foo/bar is not supported" },
      },
      wants: { kind: "model_not_found", affects_health: "target" },
    },
    {
      report: "retry-after-04: a limit of a minute in a wallet's words",
      status: 429,
      body: quota("GenerateContentInputTokensPerModelPerMinute-FreeTier"),
      wants: { kind: "rate_limit", retry_after_ms: 26_000, cooldown_ms: 26_000 },
    },
    {
      report: "retry-after-04: a quota that comes back tomorrow",
      status: 429,
      body: quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier"),
      wants: { kind: "rate_limit", retry_after_ms: HOUR, cooldown_ms: HOUR },
    },
    {
      report: "retry-after-05: a reset hours away",
      status: 429,
      body: {
        error: {
          message: "Your quota has been exhausted. The quota will reset at 2026-10-01 08:00:00",
          type: "rate_limit",
        },
      },
      wants: { kind: "rate_limit", cooldown_ms: HOUR },
    },
    {
      report: "credit-01: an empty OpenAI account as a 429",
      status: 429,
      body: {
        error: {
          message: "You exceeded your current quota, please check your plan and billing details.",
          type: "insufficient_quota",
          param: null,
          code: "insufficient_quota",
        },
      },
      wants: { kind: "insufficient_credit", affects_health: "instance", cooldown_ms: 600_000 },
    },
    {
      report: "credit-02: an empty Anthropic account as a 400",
      status: 400,
      body: {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "Your credit balance is too low to access the Anthropic API.",
        },
      },
      wants: { kind: "insufficient_credit" },
    },
    {
      report: "credit-02: another 400 stays one",
      status: 400,
      body: {
        type: "error",
        error: { type: "invalid_request_error", message: "max_tokens: must be positive" },
      },
      wants: { kind: "bad_request", affects_health: "none" },
    },
    {
      report: "credit-04: a balance behind rate_limit_error",
      status: 429,
      body: {
        type: "error",
        error: {
          type: "rate_limit_error",
          code: "1113",
          message: "[1113][Insufficient balance or no resource package. Please recharge.]",
        },
      },
      wants: { kind: "insufficient_credit", vendor_code: "1113" },
    },
    {
      report: "credit-05: an empty account behind an aggregator benches one target",
      status: 429,
      body: {
        error: {
          message: "Error from provider",
          code: 429,
          metadata: {
            raw: '{"error":{"message":"Your account <id> is suspended due to insufficient balance","type":"exceeded_current_quota_error"}}',
          },
        },
      },
      wants: { kind: "insufficient_credit", affects_health: "target" },
    },
    {
      report: "context-length-01: wording with lengths",
      status: 400,
      body: {
        error: {
          message: "Input length 131393 exceeds the maximum allowed input length of 131040 tokens.",
          code: 400,
        },
      },
      wants: { kind: "context_length" },
    },
    {
      report: "context-length-01: wording with the model's maximum",
      status: 400,
      body: {
        error: {
          message: "Input length (265330) exceeds model's maximum context length (262144).",
        },
      },
      wants: { kind: "context_length" },
    },
    {
      report: "context-length-01: a business code",
      status: 400,
      body: { error: { code: "1261", message: "Prompt exceeds max length" } },
      wants: { kind: "context_length" },
    },
    {
      report: "context-length-03: Bedrock throttling",
      status: 429,
      headers: { "x-amzn-errortype": "ThrottlingException:http://internal.amazon.com/coral/" },
      body: { message: "Too many tokens, please wait before trying again." },
      wants: { kind: "rate_limit", vendor_code: "throttlingexception" },
    },
    {
      report: "context-length-04: input tokens per minute",
      status: 429,
      body: {
        type: "error",
        error: {
          type: "rate_limit_error",
          message:
            "This request would exceed the rate limit for your organization of 20,000 input tokens per minute.",
        },
      },
      wants: { kind: "rate_limit", affects_health: "target" },
    },
    {
      report: "context-length-06: larger than the plan's minute",
      status: 413,
      body: {
        error: {
          message:
            "Request too large for model `llama-3.1-8b-instant` … on tokens per minute (TPM): Limit 6000, Requested 12328",
          type: "tokens",
          code: "rate_limit_exceeded",
        },
      },
      wants: { kind: "request_too_large_for_tier", affects_health: "none", cooldown_ms: 0 },
    },
    {
      report: "circuit-breaker-03: a content filter benches nobody",
      status: 400,
      body: {
        error: {
          message: "filtered",
          code: "content_filter",
          innererror: { code: "ResponsibleAIPolicyViolation" },
        },
      },
      wants: { kind: "moderation", affects_health: "none", cooldown_ms: 0 },
    },
    {
      report: "failover-06: a limit of the account",
      status: 429,
      body: { error: { message: "Rate limit exceeded: free-models-per-day", code: 429 } },
      wants: { kind: "rate_limit", affects_health: "instance", cooldown_ms: HOUR },
    },
    {
      report: "failover-06: a limit of one vendor behind the gateway",
      status: 429,
      vendor: "openrouter",
      body: {
        error: {
          code: 429,
          message: "Provider returned error",
          metadata: {
            raw: "x is temporarily rate-limited upstream",
            provider_name: "P",
            limit_source: "upstream_provider_shared_pool",
          },
        },
      },
      wants: {
        kind: "rate_limit",
        affects_health: "target",
        message: "x is temporarily rate-limited upstream",
      },
    },
    {
      report: "encoding-07: a coding nobody asked for",
      headers: { "content-encoding": "lz4", "content-type": "application/json" },
      body: '\u0004"M\u0018',
      wants: {
        kind: "bad_upstream",
        reason: "the answer came in the content coding `lz4`, which nobody asked for",
      },
    },
  ])("$report", ({ wants, ...answer }) => {
    expect(classify(answer)).toMatchObject(wants);
  });
});
