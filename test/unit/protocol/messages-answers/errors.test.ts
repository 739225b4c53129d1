import { expect, test } from "bun:test";

import { contextOverflowText } from "../../../../src/protocol/anthropic/context-text.ts";
import {
  anthropicError,
  anthropicErrorFrame,
} from "../../../../src/protocol/anthropic/error-envelope.ts";
import { ANTHROPIC_ERRORS } from "../../../../src/protocol/anthropic/error-types.ts";
import { ERRORS } from "../../../../src/protocol/error-codes.ts";

test("every code has a row of its own for clients of Messages, and no other has", () => {
  expect(Object.keys(ANTHROPIC_ERRORS).toSorted()).toEqual(Object.keys(ERRORS).toSorted());
});

test("the status is that of every dialect, but for 529 and what the API calls by one type", () => {
  const rows = Object.entries(ANTHROPIC_ERRORS);
  const differing = rows.filter(([code, { status }]) =>
    Object.entries(ERRORS).some(([other, fact]) => other === code && fact.status !== status),
  );

  expect(differing.map(([code, { status }]) => [code, status])).toEqual([
    ["no_target_available", 529],
    ["upstream_overloaded", 529],
  ]);
});

/** The types that the API itself gives to a status. */
const TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  502: "api_error",
  504: "timeout_error",
  529: "overloaded_error",
};

test.each(Object.entries(ANTHROPIC_ERRORS))(
  "%s has the type of its status",
  (_, { status, type }) => {
    expect(TYPES[status] ?? type).toBe(type);
  },
);

test("the envelope has the code and the parameter where the API puts such things", () => {
  const details = {
    code: "invalid_request",
    message: "`max_tokens` is missing",
    param: "max_tokens",
  } as const;

  expect(anthropicError(details, "req_1")).toEqual({
    type: "error",
    error: {
      type: "invalid_request_error",
      message: "`max_tokens` is missing",
      details: { error_code: "invalid_request", param: "max_tokens" },
    },
    request_id: "req_1",
  });
  expect(anthropicErrorFrame({ code: "router_busy", message: "busy" })).toBe(
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy","details":{"error_code":"router_busy"}}}\n\n',
  );
});

const NONE = { upstream: null, tokens: null, maximum: null };
const UNKNOWN = "prompt is too long: the conversation does not fit into the model's context window";

test.each([
  {
    name: "Anthropic's own words stay",
    overflow: { ...NONE, upstream: "prompt is too long: 210000 tokens > 200000 maximum" },
    text: "prompt is too long: 210000 tokens > 200000 maximum",
  },
  {
    name: "its other words stay too",
    overflow: {
      ...NONE,
      upstream: "input length and `max_tokens` exceed context limit: 1 + 2 > 2",
    },
    text: "input length and `max_tokens` exceed context limit: 1 + 2 > 2",
  },
  {
    name: "OpenAI's numbers",
    overflow: {
      ...NONE,
      upstream:
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9,001 tokens.",
    },
    text: "prompt is too long: 9001 tokens > 8192 maximum",
  },
  {
    name: "the total where the parts stand beside it",
    overflow: {
      ...NONE,
      upstream:
        "maximum context length is 4096 tokens, but you requested 5000 tokens (4500 in the messages, 500 in the completion)",
    },
    text: "prompt is too long: 5000 tokens > 4096 maximum",
  },
  {
    name: "llama.cpp's numbers",
    overflow: {
      ...NONE,
      upstream:
        "the request exceeds the available context size (4096 tokens), 5120 tokens were given",
    },
    text: "prompt is too long: 5120 tokens > 4096 maximum",
  },
  {
    name: "our own numbers where the upstream names none",
    overflow: { upstream: "too many tokens", tokens: 300, maximum: 200 },
    text: "prompt is too long: 300 tokens > 200 maximum",
  },
  { name: "no numbers at all", overflow: NONE, text: UNKNOWN },
  {
    name: "numbers that prove nothing",
    overflow: { ...NONE, tokens: 100, maximum: 200 },
    text: UNKNOWN,
  },
])("an overflow is told in the words that clients know: $name", ({ overflow, text }) => {
  expect(contextOverflowText(overflow)).toBe(text);
});
