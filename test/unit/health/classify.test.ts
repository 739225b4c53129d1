import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { FAILURE_FACTS } from "../../../src/health/failure-facts.ts";
import type { Failure } from "../../../src/health/failure.ts";
import { classify, NOW, type Row } from "./classify-answer.ts";

describe("statuses", () => {
  test.each([
    { status: 500, kind: "server" },
    { status: 503, kind: "server" },
    { status: 520, kind: "server" },
    { status: 504, kind: "timeout" },
    { status: 524, kind: "timeout" },
    { status: 408, kind: "timeout" },
    { status: 529, kind: "overloaded" },
    { status: 498, kind: "overloaded" },
    { status: 429, kind: "rate_limit" },
    { status: 402, kind: "insufficient_credit" },
    { status: 401, kind: "auth" },
    { status: 410, kind: "model_not_found" },
    { status: 405, kind: "bad_request" },
    { status: 415, kind: "bad_request" },
    { status: 418, kind: "bad_request" },
    { status: 451, kind: "unknown" },
  ] as const)("a bare $status page is $kind", ({ status, kind }) => {
    expect(classify({ status, body: "<html><body>error</body></html>" }).kind).toBe(kind);
  });

  test.each([
    {
      what: "an overload in the text of a 503",
      status: 503,
      body: { error: { message: "Loading model" } },
      kind: "overloaded",
    },
    {
      what: "a bad Google key as a 400",
      status: 400,
      body: { error: { message: "API key not valid.", status: "INVALID_ARGUMENT" } },
      kind: "auth",
    },
    {
      what: "missing permissions",
      status: 403,
      body: { error: { message: "insufficient permissions" } },
      kind: "auth",
    },
    {
      what: "a moderation as a 403",
      status: 403,
      body: { error: { code: 403, message: "no", metadata: { reasons: ["violence"] } } },
      kind: "moderation",
    },
    { what: "a firewall's 403", status: 403, body: "<html></html>", kind: "unknown" },
    { what: "a 404 of no API", status: 404, body: "404 page not found", kind: "unknown" },
    {
      what: "FastAPI's missing route",
      status: 404,
      body: { detail: "Not Found" },
      kind: "unknown",
    },
    {
      what: "a 404 of an API",
      status: 404,
      body: { error: { message: "model: claude-x", type: "not_found_error" } },
      kind: "model_not_found",
    },
    {
      what: "a parameter the model lacks",
      status: 400,
      body: {
        error: {
          message: "Unsupported parameter: 'temperature' is not supported with this model.",
          param: "temperature",
          code: "unsupported_parameter",
        },
      },
      kind: "unsupported_param",
    },
    {
      what: "a call the model wrote badly",
      status: 400,
      body: { error: { message: "m", code: "tool_use_failed" } },
      kind: "server",
    },
    {
      what: "a router that meets itself",
      status: 508,
      body: { error: { message: "m", code: "routing_loop" } },
      kind: "bad_upstream",
    },
    {
      what: "a rate limit behind a relay's 500",
      status: 500,
      body: { error: { message: "m", type: "rate_limit_error" } },
      kind: "rate_limit",
    },
    {
      what: "a connection problem told in a 502",
      status: 502,
      body: { error: { message: "connection refused" } },
      kind: "server",
    },
    {
      what: "a refused value that quotes the prompt",
      status: 400,
      body: { error: { message: "Invalid value: 'insufficient balance'", code: "invalid_value" } },
      kind: "bad_request",
    },
    {
      what: "a gateway with nobody behind it",
      status: 503,
      body: { error: { message: "No available channel for model foo under group default" } },
      kind: "model_not_found",
    },
    {
      what: "a busy model as a 429",
      status: 429,
      body: { error: { message: "Model busy, retry later" } },
      kind: "overloaded",
    },
    {
      what: "a rate limit as a 403",
      status: 403,
      body: { message: "You have exceeded a secondary rate limit." },
      kind: "rate_limit",
    },
    {
      what: "a parameter refused without a code",
      status: 400,
      body: { error: { message: "temperature: Extra inputs are not permitted" } },
      kind: "unsupported_param",
    },
    {
      what: "an unexplained error in a 200",
      status: 200,
      body: { error: { message: "oops" } },
      kind: "server",
    },
  ])("$what is $kind", ({ status, body, kind }) => {
    expect(classify({ status, body }).kind).toBe(kind as Failure["kind"]);
  });

  test.each([
    { location: "https://login.example.com:8443/x?token=s", names: "`login.example.com:8443`" },
    { location: "/elsewhere", names: "elsewhere" },
    { location: undefined, names: "elsewhere" },
  ])("a redirect to $location is not followed and benches the target", ({ location, names }) => {
    const failure = classify({
      status: 307,
      headers: location === undefined ? {} : { location },
      body: '{"error":{"code":429}}',
    });

    expect(failure).toMatchObject({ kind: "bad_upstream", status: 307, cooldown_ms: 600_000 });
    expect(failure.reason).toContain(names);
  });
});

describe("a 2xx without an error", () => {
  test.each([
    {
      what: "a login page",
      headers: { "content-type": "text/html" },
      body: "<html>",
      kind: "bad_upstream",
    },
    {
      what: "a page labelled JSON",
      headers: { "content-type": "application/json" },
      body: "<!doctype html>",
      kind: "bad_upstream",
    },
    {
      what: "plain text",
      headers: { "content-type": "text/plain" },
      body: "hello",
      kind: "bad_upstream",
    },
    { what: "text without a type", headers: {}, body: "hello", kind: "bad_upstream" },
    {
      what: "JSON cut short",
      headers: { "content-type": "Application/JSON; charset=x" },
      body: '{"choices":[{"me',
      kind: "server",
    },
    {
      what: "filler and no answer",
      headers: { "content-type": "application/json" },
      body: "  \n .",
      kind: "server",
    },
    { what: "an empty body", headers: {}, body: "", kind: "server" },
    {
      what: "a blocked prompt",
      headers: {},
      body: '{"promptFeedback":{"blockReason":"SAFETY"}}',
      kind: "refusal",
    },
    {
      what: "a refusal",
      headers: {},
      body: '{"choices":[{"message":{"refusal":"no"},"finish_reason":"stop"}]}',
      kind: "refusal",
    },
    {
      what: "a filtered answer",
      headers: {},
      body: '{"choices":[{"message":{},"finish_reason":"content_filter"}]}',
      kind: "refusal",
    },
    {
      what: "an ordinary answer",
      headers: {},
      body: '{"choices":[{"message":{"content":"x"}}]}',
      kind: "unknown",
    },
  ] as const)("$what is $kind", ({ headers, body, kind }) => {
    expect(classify({ headers: { ...headers }, body }).kind).toBe(kind);
  });
});

describe("waits and scopes", () => {
  test.each<Row>([
    {
      report: "a wait replaces the default bench",
      status: 429,
      headers: { "retry-after": "7" },
      wants: {
        kind: "rate_limit",
        retry_after_ms: 7000,
        cooldown_ms: 7000,
        affects_health: "target",
      },
    },
    {
      report: "without one the default stands",
      status: 429,
      wants: { retry_after_ms: null, cooldown_ms: 20_000 },
    },
    {
      report: "a short wait does not refill a wallet",
      status: 402,
      body: { error: { message: "m", code: "insufficient_balance" } },
      headers: { "retry-after": "5" },
      wants: { kind: "insufficient_credit", retry_after_ms: 5000, cooldown_ms: 600_000 },
    },
    {
      report: "a budget for requests in flight is a rate limit of the account",
      status: 402,
      body: {
        error: {
          code: 402,
          message: "m",
          metadata: { limit_source: "openrouter_in_flight_budget" },
        },
      },
      headers: { "retry-after": "5" },
      wants: { kind: "rate_limit", affects_health: "instance", cooldown_ms: 5000 },
    },
    {
      report: "a 402 with a wait and no word is the same",
      status: 402,
      headers: { "retry-after": "5" },
      wants: { kind: "rate_limit", affects_health: "instance", cooldown_ms: 5000 },
    },
    {
      report: "a key cap is an empty wallet",
      status: 402,
      body: {
        error: { code: 402, message: "m", metadata: { limit_source: "openrouter_key_limit" } },
      },
      wants: { kind: "insufficient_credit", affects_health: "instance" },
    },
    {
      report: "OpenRouter's own limit benches the instance",
      status: 429,
      vendor: "openrouter",
      headers: { "x-ratelimit-reset": `${NOW + 30_000}`, "x-ratelimit-remaining": "0" },
      body: { error: { code: 429, message: "m" } },
      wants: { affects_health: "instance", cooldown_ms: 30_000 },
    },
    {
      report: "a limit of a vendor behind OpenRouter does not",
      status: 429,
      vendor: "openrouter",
      headers: { "x-ratelimit-reset": `${NOW + 30_000}` },
      body: { error: { code: 429, message: "m", metadata: { raw: "slow down" } } },
      wants: { kind: "rate_limit", affects_health: "target" },
    },
    {
      report: "a subscription's limit benches the instance",
      status: 429,
      headers: { "anthropic-ratelimit-unified-status": "rejected" },
      wants: { affects_health: "instance" },
    },
    {
      report: "reset headers of a healthy limit do not prolong a fault",
      status: 500,
      headers: { "x-ratelimit-reset-requests": "50m" },
      wants: { kind: "server", retry_after_ms: null, cooldown_ms: 10_000 },
    },
    {
      report: "a bad key has no clock",
      status: 401,
      headers: { "retry-after": "5" },
      wants: { kind: "auth", retry_after_ms: null, cooldown_ms: null, affects_health: "instance" },
    },
    {
      report: "a key that a gateway's vendor refuses is not ours",
      status: 502,
      body: {
        error: {
          code: 502,
          message: "m",
          metadata: { raw: '{"error":{"code":"invalid_api_key"}}' },
        },
      },
      wants: { kind: "auth", affects_health: "target", cooldown_ms: 600_000 },
    },
    {
      report: "what the client caused has no wait",
      status: 400,
      headers: { "retry-after": "5" },
      wants: { kind: "bad_request", retry_after_ms: null, cooldown_ms: 0 },
    },
  ])("$report", ({ wants, ...answer }) => {
    expect(classify(answer)).toMatchObject(wants);
  });

  test("business codes of one vendor count only for it", () => {
    const answer = { status: 400, body: { error: { code: "1211", message: "m" } } };

    expect(classify({ ...answer, vendor: "zai" }).kind).toBe("model_not_found");
    expect(classify(answer).kind).toBe("bad_request");
  });
});

describe("what may be stored", () => {
  test.each([
    { what: "a known code", error: { code: "invalid_api_key" }, vendor_code: "invalid_api_key" },
    { what: "a number", error: { code: 40301 }, vendor_code: "40301" },
    { what: "a word of nobody's list", error: { code: "my_prompt_marker" }, vendor_code: null },
    {
      what: "a key",
      error: { code: "sk-prov-abcdef", type: "server_error" },
      vendor_code: "server_error",
    },
  ])("of $what only our own list survives", ({ error, vendor_code }) => {
    expect(classify({ status: 500, body: { error: { message: "m", ...error } } }).vendor_code).toBe(
      vendor_code,
    );
  });

  test.each([
    { param: "messages[0].content", wants: "messages[0].content" },
    { param: "sk-test-1234567890", wants: null },
    { param: "a whole sentence", wants: null },
  ])("the parameter %p is a path or nothing", ({ param, wants }) => {
    expect(classify({ status: 400, body: { error: { message: "m", param } } }).param).toBe(wants);
  });

  test("no word of the upstream gets into the reason or the code", () => {
    const marker = "MARKERprompt";
    const body = fc.record({
      message: fc.constantFrom(marker, `rate limit ${marker}`, `model ${marker} not found`),
      code: fc.constantFrom(marker, "x", 7, null),
      type: fc.constantFrom(marker, "api_error", null),
      param: fc.constantFrom(marker, null),
    });
    const status = fc.constantFrom(200, 302, 400, 403, 404, 429, 500, 503);
    fc.assert(
      fc.property(body, status, (error, code) => {
        const { reason, vendor_code } = classify({ status: code, body: { error } });

        expect(`${reason} ${vendor_code}`.toLowerCase()).not.toContain(marker.toLowerCase());
      }),
    );
  });
});

test("any answer has a kind of the table, and a bench only where health is touched", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999 }),
      fc.oneof(fc.string(), fc.json()),
      (status, body) => {
        const { kind, affects_health, cooldown_ms } = classify({ status, body });

        expect(Object.keys(FAILURE_FACTS)).toContain(kind);
        expect(affects_health === "none" ? cooldown_ms : 0).toBe(0);
      },
    ),
  );
});
