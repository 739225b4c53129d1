import { expect, test } from "bun:test";

import { inspectError } from "../../../src/health/inspect-error.ts";

const NOW = Date.UTC(2026, 8, 1);

test("an answer is judged with all that follows from its kind", () => {
  const line = {
    id: "a",
    vendor: "Groq",
    status: 429,
    headers: { "Retry-After": 30 },
    body: '{"error":{"message":"slow","code":"rate_limit_exceeded"}}',
  };

  expect(inspectError(line, NOW)).toEqual({
    id: "a",
    kind: "rate_limit",
    retry_same: false,
    fail_over: "yes",
    affects_health: "target",
    cooldown_ms: 30_000,
    client_status: 429,
    reason: "the code `rate_limit_exceeded`",
  });
});

test.each([
  { what: "a named transport fault", line: { transport: "dns" }, kind: "network" },
  {
    what: "a transport fault beside a status",
    line: { transport: "abort", status: 500 },
    kind: "cancelled",
  },
  { what: "an exception's text", line: { status: null, body: "ECONNRESET" }, kind: "network" },
  {
    what: "a body that is JSON itself",
    line: { status: 400, body: { error: { code: "model_not_found" } } },
    kind: "model_not_found",
  },
  { what: "no body", line: { status: 503 }, kind: "server" },
  {
    what: "a list of header values",
    line: { status: 402, headers: { "retry-after": ["5"] } },
    kind: "rate_limit",
  },
])("$what is judged", ({ line, kind }) => {
  expect(inspectError(line, NOW)).toMatchObject({ id: null, kind });
});

test("a bench without a clock is null", () => {
  expect(inspectError({ id: 1, status: 401 }, NOW)).toMatchObject({ id: 1, cooldown_ms: null });
});

test.each([
  {
    line: { id: 7, transport: "carrier-pigeon" },
    error: "`transport` must be one of timeout, reset, dns, tls, refused, abort",
  },
  {
    line: { id: 7, status: "500" },
    error: "`status` must be a whole number from 100 to 599, or null",
  },
  {
    line: { id: 7, status: 42 },
    error: "`status` must be a whole number from 100 to 599, or null",
  },
  {
    line: { id: 7, headers: ["a"] },
    error: "`headers` must be an object of header names and values",
  },
])("a line with $error says so", ({ line, error }) => {
  expect(inspectError(line, NOW)).toEqual({ id: 7, error });
});
