import { expect, test } from "bun:test";

import { Value } from "@sinclair/typebox/value";

import { Decision } from "../../src/routing/decision.ts";
import { observe } from "../support/observe.ts";
import { chat, pool, provider, startRouter } from "../support/router.ts";
import { chunk, completion, scriptedUpstream } from "../support/scripted-upstream.ts";

const usageOf = (prompt_tokens: number, completion_tokens: number) => ({
  usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
});

test("a decision tells the whole story of a request: plan, attempts, edits, usage, who served", async () => {
  using failing = scriptedUpstream((wire) => wire.json({ error: { message: "boom" } }, 500));
  using serving = scriptedUpstream((wire) => {
    wire.sse();
    wire.write(chunk({ role: "assistant" }) + chunk({ content: "hi" }) + chunk({}, "stop"));
    const usage = { id: "c", object: "chat.completion.chunk", choices: [], ...usageOf(11, 7) };
    wire.write(`data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`);
    wire.end();
  });
  await using router = await startRouter({
    config: provider("a", failing.base_url) + provider("b", serving.base_url) + pool("a", "b"),
  });

  const response = await router.post("/v1/chat/completions", chat("pool:main", { stream: true }), {
    headers: { "x-request-id": "story" },
  });
  await response.text();

  const id = response.headers.get("x-veriroute-decision");
  const told = await observe(router).decision(id);
  expect([...Value.Errors(Decision, told)]).toEqual([]);
  const { at, duration_ms, ttft_ms, attempts, plan, ...rest } = told;
  expect(rest).toMatchObject({
    id,
    request_id: "story",
    dialect: "chat",
    stream: true,
    asked: "pool:main",
    served: "b:m",
    lane: null,
    pool: "main",
    strategy: "priority",
    status: 200,
    error_code: null,
    outcome: "ok",
    degraded: false,
    edits: ["stream_options", "usage_chunk"],
    usage: { input_tokens: 11, output_tokens: 7 },
  });
  expect(plan.candidates.map(({ target, eligible }) => ({ target, eligible }))).toEqual([
    { target: "a:m", eligible: true },
    { target: "b:m", eligible: true },
  ]);
  expect(
    attempts.map(({ n, target, retry, kind, status, usage }) => {
      return { n, target, retry, kind, status, usage };
    }),
  ).toEqual([
    { n: 1, target: "a:m", retry: false, kind: "server", status: 500, usage: null },
    { n: 2, target: "a:m", retry: true, kind: "server", status: 500, usage: null },
    {
      n: 3,
      target: "b:m",
      retry: false,
      kind: "ok",
      status: 200,
      usage: { input_tokens: 11, output_tokens: 7 },
    },
  ]);
  expect(attempts[2]?.ttft_ms).toBe(ttft_ms);
  expect(duration_ms).toBeGreaterThanOrEqual(ttft_ms ?? Infinity);
  expect(attempts[0]?.started_at).toBeGreaterThanOrEqual(at);
});

test("a decision is readable by its id as soon as the header is out, and grows from there", async () => {
  const rest = Promise.withResolvers<void>();
  using upstream = scriptedUpstream(async (wire) => {
    wire.sse();
    wire.write(chunk({ role: "assistant", content: "hi" }));
    await rest.promise;
    wire.write(`${chunk({}, "stop")}data: [DONE]\n\n`);
    wire.end();
  });
  await using router = await startRouter({ config: provider("a", upstream.base_url) });
  const response = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));
  const id = response.headers.get("x-veriroute-decision");

  const early = await observe(router).decision(id);
  rest.resolve();
  await response.text();
  const late = await observe(router).decision(id);

  expect(early).toMatchObject({
    outcome: "in_progress",
    served: "a:m",
    status: null,
    duration_ms: null,
    attempts: [{ kind: "in_progress" }],
  });
  expect(late).toMatchObject({ outcome: "ok", status: 200, attempts: [{ kind: "ok" }] });
});

const JSON_TYPE = { "content-type": "application/json" };

test.each([
  {
    what: "an answer",
    path: "/v1/chat/completions",
    body: chat("sim:echo"),
    expected: { status: 200, outcome: "ok", error_code: null, asked: "sim:echo" },
  },
  {
    what: "an unknown model",
    path: "/v1/chat/completions",
    body: chat("nowhere"),
    expected: { status: 404, outcome: "failed", error_code: "model_not_found", asked: "nowhere" },
  },
  {
    what: "a body that is no JSON",
    path: "/v1/chat/completions",
    body: "{",
    expected: { status: 400, outcome: "failed", error_code: "invalid_json", asked: "" },
  },
  {
    what: "a wrong field",
    path: "/v1/embeddings",
    body: { model: "sim:embed" },
    expected: {
      status: 400,
      outcome: "failed",
      error_code: "invalid_request",
      dialect: "embeddings",
    },
  },
  {
    what: "a wrong content type",
    path: "/v1/completions",
    body: "{}",
    headers: { "content-type": "text/plain" },
    expected: {
      status: 415,
      outcome: "failed",
      error_code: "unsupported_media_type",
      dialect: "completions",
    },
  },
  {
    what: "a wrong `veriroute` block",
    path: "/v1/chat/completions",
    body: chat("sim:echo", { veriroute: { target: 7 } }),
    expected: { status: 400, outcome: "failed", error_code: "invalid_request" },
  },
])("$what leaves exactly one decision", async ({ path, body, headers = JSON_TYPE, expected }) => {
  await using router = await startRouter();

  const response = await router.post(path, body, { headers });
  await response.text();

  expect(response.status).toBe(expected.status);
  const [only, ...others] = await observe(router).decisions();
  expect(others).toEqual([]);
  expect(only).toMatchObject({ ...expected, id: response.headers.get("x-veriroute-decision") });
  expect([...Value.Errors(Decision, only)]).toEqual([]);
});

test("the model a client asks for is kept to 256 characters, whatever it is", async () => {
  await using router = await startRouter();

  const response = await router.post("/v1/chat/completions", chat("é".repeat(5000)));
  await response.text();

  const { asked } = await observe(router).lastDecision();
  expect(asked).toBe("é".repeat(256));
});

test("what a failed attempt used is not lost", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 };
  using empty = scriptedUpstream((wire) => wire.json(completion("", { usage })));
  using serving = scriptedUpstream((wire) => wire.json(completion("fine")));
  await using router = await startRouter({
    config: provider("a", empty.base_url) + provider("b", serving.base_url) + pool("a", "b"),
  });

  await (await router.post("/v1/chat/completions", chat("pool:main"))).text();

  const { usage: total, attempts } = await observe(router).lastDecision();
  expect(total).toEqual({ input_tokens: 3, output_tokens: 2 });
  expect(attempts.map((attempt) => attempt.usage)).toEqual([
    { input_tokens: 9, output_tokens: 0 },
    { input_tokens: 3, output_tokens: 2 },
  ]);
});
