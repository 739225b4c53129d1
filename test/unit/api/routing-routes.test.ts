import { afterAll, describe, expect, test } from "bun:test";

import type { Plan } from "../../../src/routing/plan.ts";
import { createEventRing } from "../../../src/telemetry/ring.ts";
import { NOW, startApi } from "../../support/api-server.ts";
import { decision } from "../../support/decisions.ts";

const health = {
  target: "nim:a",
  eligible: false,
  reasons: [{ layer: 6, code: "cooldown", detail: "rate_limit", until_at: NOW + 1000 }],
  in_flight: 2,
  latency_ms: 12.5,
  score: null,
};
const events = createEventRing();
const api = await startApi({
  events,
  inventory: {
    providers: () => [],
    targets: () => [{ ...health, instance: "nim", model: "a" }],
    pools: () => [],
  },
});
afterAll(() => api[Symbol.asyncDispose]());

const route: Plan = {
  kind: "route",
  asked: "pool:main",
  pool: "main",
  lane: null,
  profile: null,
  strategy: "priority",
  candidates: [
    {
      target: "nim:a",
      eligible: true,
      reasons: [],
      score: null,
      member: { instance: "nim", model: "a", params: { temperature: 0 } },
      id: "nim:a?temperature=0",
      window_tokens: null,
    },
  ],
  notes: ["a note"],
  scrutiny: { verify: "rescue", hold_back: false },
  effects: { takes_turn: false, session: null },
  untranslatable: [],
};

const explain = (body: unknown, query = "") => api.send(`/v1/routing/explain${query}`, body);

describe("POST /v1/routing/explain", () => {
  test("shows the plan without what only the router needs", async () => {
    api.relay.script.plan = route;
    const answer = await explain({ model: "pool:main", messages: [] });

    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        plan: { candidates: [{ target: "nim:a", eligible: true, reasons: [], score: null }] },
        profile: null,
        lane: null,
        pool: "main",
        classifier: null,
        strategy: "priority",
        notes: ["a note"],
      },
    ]);
  });

  test("answers a refused request with the error it would get", async () => {
    api.relay.script.plan = {
      kind: "refuse",
      asked: "nope",
      code: "model_not_found",
      message: "There is no `nope`.",
      param: "model",
    };
    const answer = await explain({ model: "nope" });

    expect([answer.status, await answer.json()]).toEqual([
      404,
      {
        error: {
          code: "model_not_found",
          message: "There is no `nope`.",
          param: "model",
          type: "invalid_request_error",
        },
      },
    ]);
  });

  test.each([
    { body: {}, query: "", dialect: "chat" },
    { body: { messages: [] }, query: "", dialect: "chat" },
    { body: { prompt: "x" }, query: "", dialect: "completions" },
    { body: { input: "x" }, query: "", dialect: "embeddings" },
    { body: { messages: [] }, query: "?dialect=embeddings", dialect: "embeddings" },
  ])("$body with `$query` is read as $dialect", async ({ body, query, dialect }) => {
    await explain(body, query);

    expect(api.relay.explained.at(-1)).toMatchObject({ dialect, parsed: body });
  });

  test.each([
    { body: { model: 1 }, query: "", param: "model" },
    { body: {}, query: "?dialect=latin", param: "dialect" },
    { body: {}, query: "?model=auto", param: "model" },
  ])("$body with `$query` is refused", async ({ body, query, param }) => {
    const answer = await explain(body, query);

    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "invalid_request", param } });
  });

  test("records no decision, since nothing was asked of a model", async () => {
    await explain({ model: 1 });

    expect(api.relay.rejected).toEqual([]);
  });
});

test("recent events come newest first, as many as asked for", async () => {
  const cooldown = {
    target: "nim:a",
    scope: "target",
    kind: "rate_limit",
    vendor_code: null,
    since_at: NOW,
    until_at: NOW + 1000,
  } as const;
  const breaker = {
    scope: "target",
    subject: "nim:a",
    cause: "failure_rate",
    detail: "5 failures in a row, the last one server",
    opened_at: NOW - 1000,
    until_at: NOW + 59_000,
    reopened: 0,
    state: "open",
  } as const;
  api.relay.script.cooldowns = [cooldown];
  api.relay.script.breakers = [breaker];
  const [older, newer] = [1, 2].map((at) => decision({ id: `d-${at}`, at }));
  for (const one of [older, newer]) {
    if (one) events.record({ kind: "request", at: one.at, decision: one, key_id: "k1" });
  }
  const answer = await api.call("/v1/explain/routing?limit=1");

  expect(await answer.json()).toEqual({
    events: [{ kind: "request", at: 2, decision: newer, key_id: "k1" }],
    quality: [],
    breakers: [breaker],
    cooldowns: [cooldown],
    suspensions: [],
    now: NOW,
  });
});

test("health lists every known target in the shape of the contract", async () => {
  const answer = await api.call("/v1/routing/health");

  expect(await answer.json()).toEqual({ targets: [health], now: NOW });
});

describe("GET /health/ready", () => {
  test.each([
    { status: "ready", degraded: [], http: 200, body: { status: "ready", degraded: [] } },
    {
      status: "ready",
      degraded: ["store"],
      http: 200,
      body: { status: "ready", degraded: ["store"] },
    },
    { status: "starting", degraded: [], http: 503, body: { status: "starting" } },
    { status: "stopping", degraded: ["store"], http: 503, body: { status: "stopping" } },
  ] as const)("$status $degraded is $http", async ({ status, degraded, http, body }) => {
    await using own = await startApi({ readiness: () => ({ status, degraded }) });
    const answer = await own.call("/health/ready");

    expect([answer.status, await answer.json()]).toEqual([http, body]);
  });
});

test("metrics are passed on as text", async () => {
  const answer = await api.call("/metrics");

  expect([answer.headers.get("content-type"), await answer.text()]).toEqual([
    "text/plain; version=0.0.4",
    "# nothing\n",
  ]);
});
