import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { readErrorBody } from "../../../src/protocol/error-body.ts";
import { readRetryAfter } from "../../../src/protocol/retry-after.ts";

const NOW = Date.UTC(2026, 9, 21, 7, 26, 0);
const HOUR = 3_600_000;

function read(headers: Readonly<Record<string, string>>, body: unknown = null, now = NOW) {
  const named = readRetryAfter({
    header: (name) => headers[name] ?? null,
    body: body === null ? null : readErrorBody(JSON.stringify(body)),
    now,
  });
  return named?.wait_ms ?? null;
}

describe("the retry-after header", () => {
  test.each([
    { value: "120", wants: 120_000 },
    { value: "1.5", wants: 1500 },
    { value: "0", wants: 1000 },
    { value: " 7 ", wants: 7000 },
    { value: "Wed, 21 Oct 2026 07:28:00 GMT", wants: 120_000 },
    { value: "Wednesday, 21-Oct-26 07:28:00 GMT", wants: 120_000 },
    { value: "Wed Oct 21 07:28:00 2026", wants: 120_000 },
    { value: "2026-10-21T07:28:00Z", wants: 120_000 },
    { value: "2026-10-21T09:28:00+02:00", wants: 120_000 },
    { value: "6m0s", wants: 360_000 },
    { value: `${NOW + 30_000}`, wants: 30_000 },
    { value: `${NOW / 1000 + 30}`, wants: 30_000 },
    { value: "99999999999", wants: HOUR },
    { value: "Wed, 21 Oct 2020 07:28:00 GMT", wants: 1000 },
    { value: "Wednesday, 21-Oct-94 07:28:00 GMT", wants: 1000 },
  ])("$value means $wants ms", ({ value, wants }) => {
    expect(read({ "retry-after": value })).toBe(wants);
  });

  test.each([
    "soon",
    "",
    "-3",
    "+3",
    "120, 60",
    "1e3",
    "0x10",
    "NaN",
    "Wed, 21 Foo 2026 07:28:00 GMT",
  ])("%p counts as absent", (value) => {
    expect(read({ "retry-after": value })).toBeNull();
  });

  test("milliseconds in retry-after-ms are more exact and win", () => {
    expect(read({ "retry-after-ms": "2500", "retry-after": "9" })).toBe(2500);
  });

  test("any value gives nothing or a wait from a second to an hour", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String)),
        (value) => {
          const wait = read({ "retry-after": value });

          expect(wait === null || (wait >= 1000 && wait <= HOUR)).toBe(true);
        },
      ),
    );
  });
});

describe("limit headers", () => {
  test.each([
    {
      vendor: "OpenAI",
      headers: { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s" },
      wants: 360_000,
    },
    {
      vendor: "Groq",
      headers: { "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "2m59.56s" },
      wants: 179_560,
    },
    {
      vendor: "Cerebras",
      headers: {
        "x-ratelimit-remaining-tokens-minute": "0",
        "x-ratelimit-reset-tokens-minute": "42.5",
      },
      wants: 42_500,
    },
    {
      vendor: "Anthropic",
      headers: {
        "anthropic-ratelimit-input-tokens-remaining": "0",
        "anthropic-ratelimit-input-tokens-reset": "2026-10-21T07:27:00Z",
      },
      wants: 60_000,
    },
    {
      vendor: "OpenRouter",
      headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${NOW + 90_000}` },
      wants: 90_000,
    },
    {
      vendor: "an Anthropic subscription",
      headers: {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-reset": `${NOW / 1000 + 600}`,
      },
      wants: 600_000,
    },
    { vendor: "a vendor without a counter", headers: { "x-ratelimit-reset": "12" }, wants: 12_000 },
  ])("of $vendor name the wait", ({ headers, wants }) => {
    expect(read(headers)).toBe(wants);
  });

  test("a limit with something left says nothing about the wait", () => {
    const headers = {
      "x-ratelimit-remaining-requests": "59",
      "x-ratelimit-reset-requests": "6m0s",
      "anthropic-ratelimit-unified-status": "allowed",
      "anthropic-ratelimit-unified-reset": `${NOW / 1000 + 600}`,
    };

    expect(read(headers)).toBeNull();
  });

  test("of two exhausted limits the longer reset decides", () => {
    const headers = {
      "x-ratelimit-remaining-requests": "0",
      "x-ratelimit-reset-requests": "1s",
      "x-ratelimit-remaining-tokens": "0",
      "x-ratelimit-reset-tokens": "30s",
    };

    expect(read(headers)).toBe(30_000);
  });

  test("OpenRouter's copies in the body count like headers", () => {
    const metadata = {
      headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": `${NOW + 45_000}` },
    };

    expect(read({}, { error: { code: 429, message: "m", metadata } })).toBe(45_000);
  });
});

describe("the body", () => {
  test.each([
    {
      where: "RetryInfo",
      error: { message: "m", details: [{ retryDelay: "26s" }] },
      wants: 26_000,
    },
    {
      where: "availability",
      error: { message: "m", availability: { retry_after: 8 } },
      wants: 8000,
    },
    {
      where: "a vendor behind a gateway",
      error: { metadata: { raw: '{"error":{"message":"try again in 3s"}}' } },
      wants: 3000,
    },
  ])("of $where names the wait", ({ error, wants }) => {
    expect(read({}, { error })).toBe(wants);
  });

  test.each([
    { text: "Please try again in 4.77s.", wants: 4770 },
    { text: "please try again after 1 seconds", wants: 1000 },
    { text: "Please try again in 1h2m3.5s", wants: HOUR },
    { text: "Please try again in 6m0s.", wants: 360_000 },
    { text: "Please retry in 890ms", wants: 1000 },
    { text: "Rate limited, wait 30 seconds", wants: 30_000 },
    { text: "Your limit resets in 2 minutes", wants: 120_000 },
    { text: "The quota will reset at 2026-10-21 07:30:00", wants: 240_000 },
    { text: "You will regain access on 2026-10-21 at 07:30 UTC.", wants: 240_000 },
    { text: "You will regain access on 2026-12-01 at 00:00 UTC.", wants: HOUR },
    { text: "It was reset at 2026-10-01 08:00:00", wants: null },
    { text: "Please try again later.", wants: null },
    { text: "I retried 3 times", wants: null },
  ])("$text means $wants", ({ text, wants }) => {
    expect(read({}, { error: { message: text } })).toBe(wants);
  });

  test("headers come first, then fields, then text", () => {
    const error = { message: "try again in 3s", details: [{ retryDelay: "2s" }] };

    expect(read({ "retry-after": "9" }, { error })).toBe(9000);
    expect(read({}, { error })).toBe(2000);
  });
});
