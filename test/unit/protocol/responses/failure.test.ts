import { expect, test } from "bun:test";

import { type ErrorCode, ERRORS } from "../../../../src/protocol/error-codes.ts";
import { responsesStatus } from "../../../../src/protocol/responses/error-status.ts";
import { responseError } from "../../../../src/protocol/responses/failure.ts";

const codes = Object.keys(ERRORS).filter((code): code is ErrorCode => code in ERRORS);

test.each([
  { code: "insufficient_credits", status: 400 },
  { code: "no_target_available", status: 429 },
  { code: "upstream_overloaded", status: 429 },
  { code: "router_busy", status: 429 },
  { code: "router_shutdown", status: 429 },
  { code: "rate_limit_exceeded", status: 429 },
  { code: "context_length_exceeded", status: 400 },
  { code: "model_not_found", status: 404 },
  { code: "upstream_timeout", status: 504 },
  { code: "upstream_bad_answer", status: 502 },
  { code: "invalid_api_key", status: 401 },
  { code: "body_too_large", status: 413 },
] as const)("$code is $status", ({ code, status }) => {
  expect(responsesStatus(code)).toBe(status);
});

test("no client route answers with a status that Codex multiplies", () => {
  const client = codes.filter((code) => code !== "store_unavailable");

  const multiplied = client.filter((code) => [402, 503].includes(responsesStatus(code)));

  expect(multiplied).toEqual([]);
});

test.each([
  {
    name: "exhausted credit",
    code: "insufficient_credits",
    wait: null,
    told: "insufficient_quota",
  },
  {
    name: "a full window",
    code: "context_length_exceeded",
    wait: null,
    told: "context_length_exceeded",
  },
  { name: "a rate limit", code: "rate_limit_exceeded", wait: null, told: "rate_limit_exceeded" },
  { name: "a short wait", code: "no_target_available", wait: 20_000, told: "rate_limit_exceeded" },
  { name: "a long wait", code: "rate_limit_exceeded", wait: 90_000, told: "server_is_overloaded" },
  {
    name: "overload of unknown length",
    code: "upstream_overloaded",
    wait: null,
    told: "server_error",
  },
  { name: "a wrong request", code: "invalid_request", wait: null, told: "invalid_prompt" },
  { name: "an unknown model", code: "model_not_found", wait: null, told: "invalid_prompt" },
  { name: "a broken stream", code: "stream_interrupted", wait: null, told: "server_error" },
  { name: "a broken stream and a wait", code: "upstream_error", wait: 500, told: "server_error" },
] as const)("$name is told as $told", ({ code, wait, told }) => {
  expect(responseError({ code, message: "m", retry_after_ms: wait }).code).toBe(told);
});

test("a wait is told in the words that Codex reads, rounded up", () => {
  const { message } = responseError({
    code: "rate_limit_exceeded",
    message: "All targets are limited.",
    retry_after_ms: 1401,
  });

  expect(message).toBe("All targets are limited. Please try again in 1.5s.");
});

test.each(codes.map((code) => ({ code })))("$code has a failure that clients know", ({ code }) => {
  const known = [
    "server_error",
    "server_is_overloaded",
    "rate_limit_exceeded",
    "insufficient_quota",
    "context_length_exceeded",
    "invalid_prompt",
  ];

  expect(known).toContain(responseError({ code, message: "m" }).code);
});

test.each(["Overloaded", "Overloaded.", "Overloaded!"])(
  "the wait is a sentence of its own behind `%s`",
  (message) => {
    const error = responseError({ code: "rate_limit_exceeded", message, retry_after_ms: 1000 });

    expect(error.message).toBe("Overloaded. Please try again in 1s.");
  },
);
