import { expect, test } from "bun:test";

import { errorOf, observe } from "../support/observe.ts";
import { chat, pool, provider, startRouter } from "../support/router.ts";
import { scriptedUpstream, type Wire } from "../support/scripted-upstream.ts";

interface Answer {
  readonly status: number;
  readonly error?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

const answering =
  ({ status, error = { message: "no" }, headers }: Answer) =>
  (wire: Wire) =>
    wire.json({ error }, status, headers);

const noCredit: Answer = { status: 402 };
const limited = (seconds: string): Answer => ({
  status: 429,
  headers: { "retry-after": seconds },
});
const tooLong: Answer = {
  status: 400,
  error: { message: "too long", code: "context_length_exceeded" },
};
const unknownModel: Answer = {
  status: 404,
  error: { message: "no such model", code: "model_not_found" },
};
const down: Answer = { status: 500 };

interface Row {
  readonly what: string;
  readonly answers: readonly [Answer, Answer];
  readonly status: number;
  readonly code: string;
  readonly type: string;
  readonly retry_after?: string;
  /** `x-should-retry: false` is there. */
  readonly final?: boolean;
}

test.each<Row>([
  {
    what: "all out of credit",
    answers: [noCredit, noCredit],
    status: 402,
    code: "insufficient_credits",
    type: "insufficient_quota",
  },
  {
    what: "all rate limited: the shortest wait",
    answers: [limited("31"), limited("7")],
    status: 429,
    code: "rate_limit_exceeded",
    type: "rate_limit_error",
    retry_after: "7",
    final: false,
  },
  {
    what: "all rate limited for longer than SDKs wait",
    answers: [limited("90"), limited("120")],
    status: 429,
    code: "rate_limit_exceeded",
    type: "rate_limit_error",
    retry_after: "90",
  },
  {
    what: "a fraction of a second, rounded up",
    answers: [limited("30"), { status: 429, headers: { "retry-after-ms": "1500" } }],
    status: 429,
    code: "rate_limit_exceeded",
    type: "rate_limit_error",
    retry_after: "2",
    final: false,
  },
  {
    what: "one out of credit, one rate limited: the last",
    answers: [noCredit, limited("7")],
    status: 429,
    code: "rate_limit_exceeded",
    type: "rate_limit_error",
    retry_after: "7",
    final: false,
  },
  {
    what: "a prompt too long for one, the other down",
    answers: [tooLong, down],
    status: 400,
    code: "context_length_exceeded",
    type: "invalid_request_error",
  },
  {
    what: "all without the model",
    answers: [unknownModel, unknownModel],
    status: 404,
    code: "model_not_found",
    type: "invalid_request_error",
  },
  {
    what: "one without the model, the other down: the last",
    answers: [unknownModel, down],
    status: 502,
    code: "upstream_error",
    type: "server_error",
  },
  {
    what: "a refused credential: never the client's 401",
    answers: [down, { status: 401 }],
    status: 502,
    code: "upstream_auth",
    type: "server_error",
  },
  {
    what: "all overloaded",
    answers: [
      { status: 529, headers: { "retry-after": "3" } },
      { status: 529, headers: { "retry-after": "5" } },
    ],
    status: 503,
    code: "upstream_overloaded",
    type: "server_error",
    retry_after: "3",
    final: false,
  },
])(
  "$what: $status $code",
  async ({ answers: [first, second], status, code, type, retry_after = null, final = true }) => {
    using a = scriptedUpstream(answering(first));
    using b = scriptedUpstream(answering(second));
    await using router = await startRouter({
      config: provider("a", a.base_url) + provider("b", b.base_url) + pool("a", "b"),
      random: () => 0,
    });

    const response = await router.post("/v1/chat/completions", chat("pool:main"));

    expect(response.status).toBe(status);
    expect(response.headers.get("retry-after")).toBe(retry_after);
    expect(response.headers.get("x-should-retry")).toBe(final ? "false" : null);
    expect(await errorOf(response)).toMatchObject({ code, type, param: null });
  },
);

test("with nothing left to try the client is told of every candidate why, and the shortest wait", async () => {
  using a = scriptedUpstream(answering(limited("40")));
  using b = scriptedUpstream(answering(noCredit));
  await using router = await startRouter({
    config: provider("a", a.base_url) + provider("b", b.base_url) + pool("a", "b"),
  });
  await router.post("/v1/chat/completions", chat("pool:main"));

  const response = await router.post("/v1/chat/completions", chat("pool:main"));

  expect(response.status).toBe(503);
  expect(Number(response.headers.get("retry-after"))).toBeWithin(38, 41);
  expect(response.headers.get("x-should-retry")).toBeNull();
  expect(response.headers.get("x-veriroute-attempts")).toBeNull();
  const error = await errorOf(response);
  expect(error).toMatchObject({
    code: "no_target_available",
    message: expect.stringMatching(/`a:m`: .*rate_limit.*; `b:m`: .*insufficient_credit/),
    veriroute: {
      decision_id: response.headers.get("x-veriroute-decision"),
      candidates: [
        { target: "a:m", eligible: false, reasons: [{ layer: 6, code: "cooldown" }] },
        { target: "b:m", eligible: false, reasons: [{ layer: 6, code: "cooldown" }] },
      ],
    },
  });
  expect([a.requests.length, b.requests.length]).toEqual([1, 1]);
});

test("a model that no provider has is 404 before any attempt, and not worth a retry", async () => {
  using a = scriptedUpstream(answering(down));
  await using router = await startRouter({ config: provider("a", a.base_url) });

  const response = await router.post("/v1/chat/completions", chat("nowhere"));

  expect(response.status).toBe(404);
  expect(response.headers.get("x-should-retry")).toBe("false");
  expect(await errorOf(response)).toMatchObject({
    code: "model_not_found",
    type: "invalid_request_error",
    param: "model",
  });
  expect(a.requests).toHaveLength(0);
});

const KEY = "sk-router-own-credential-0123456789";
const PROMPT = "the quick brown fox jumps over it";

test.each([
  {
    what: "the upstream's own words, where they are safe",
    says: "the GPU is on fire",
    shown: "`a`: the GPU is on fire",
  },
  {
    what: "no credential, ours or one like it",
    says: `bad key ${KEY} or Bearer abcdefgh12345678`,
    shown: "`a`: bad key [redacted] or Bearer [redacted]",
  },
  {
    what: "no configured header's value",
    says: "team header plain-but-secret-value refused",
    shown: "`a`: team header [redacted] refused",
  },
  {
    what: "at most 300 characters",
    says: "y".repeat(1000),
    shown: `\`a\`: ${"y".repeat(300)}`,
  },
  {
    what: "our own words where the upstream quotes 16 characters of the prompt",
    says: `cannot answer "quick brown fox j" ever`,
    shown: "`a`: HTTP status 418",
  },
  {
    what: "a quotation of 15 characters",
    says: `cannot answer "quick brown fox" ever`,
    shown: '`a`: cannot answer "quick brown fox" ever',
  },
])("an error shows $what", async ({ says, shown }) => {
  using upstream = scriptedUpstream((wire) => wire.json({ error: { message: says } }, 418));
  await using router = await startRouter({
    config: `${provider("a", upstream.base_url, `api_key = "${KEY}"`)}[providers.a.headers]\nx-team = "plain-but-secret-value"\n`,
  });

  const response = await router.post("/v1/chat/completions", {
    model: "a:m",
    messages: [{ role: "user", content: PROMPT }],
  });

  expect((await errorOf(response))["message"]).toBe(shown);
  const { attempts } = await observe(router).lastDecision();
  expect(JSON.stringify(attempts)).not.toContain("fire");
});
