import { expect, test } from "bun:test";

import { errorOf, observe } from "../support/observe.ts";
import { rawChat, rawClient } from "../support/raw-client.ts";
import { chat, pool, provider, startRouter } from "../support/router.ts";
import { chunk, completion, scriptedUpstream, type Wire } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const role = chunk({ role: "assistant", content: "" });
const word = chunk({ content: "word" });
const END = `${chunk({}, "stop")}data: [DONE]\n\n`;

/** Writes `frames` one by one, `ms` apart; stops with the connection. */
async function drip(wire: Wire, frames: readonly string[], ms: number): Promise<void> {
  for (const frame of frames) {
    await Bun.sleep(ms);
    wire.write(frame);
  }
}

async function dripped(wire: Wire, frames: readonly string[], ms: number): Promise<void> {
  wire.sse();
  await drip(wire, frames, ms);
  wire.end();
}

const times = (count: number, frame: string) => Array.from({ length: count }, () => frame);

test.each([{ stream: false }, { stream: true }])(
  "the deadline cuts an attempt short, blames nobody and starts no other (stream: $stream)",
  async ({ stream }) => {
    using silent = scriptedUpstream(() => {});
    using spare = scriptedUpstream((wire) => wire.json(completion("never")));
    await using router = await startRouter({
      config: [
        '[routing]\ndeadline = "200ms"',
        provider("a", silent.base_url),
        provider("b", spare.base_url),
        pool("a", "b"),
      ].join("\n"),
    });

    const response = await router.post("/v1/chat/completions", chat("pool:main", { stream }));

    expect(response.status).toBe(504);
    expect(await errorOf(response)).toMatchObject({
      code: "upstream_timeout",
      message: "`a`: no answer before the request's deadline (deadline, 200 ms)",
    });
    expect(spare.requests).toHaveLength(0);
    expect(await observe(router).health()).toEqual([
      { target: "a:m", eligible: true, in_flight: 0 },
      { target: "b:m", eligible: true, in_flight: 0 },
    ]);
  },
);

test("a later attempt gets only what earlier ones left of the deadline", async () => {
  using first = scriptedUpstream(() => {});
  using second = scriptedUpstream(() => {});
  await using router = await startRouter({
    config: [
      '[routing]\ndeadline = "900ms"',
      provider("a", first.base_url, 'response_timeout = "600ms"'),
      provider("b", second.base_url, 'response_timeout = "600ms"'),
      pool("a", "b"),
    ].join("\n"),
  });

  const response = await router.post("/v1/chat/completions", chat("pool:main"));

  const { attempts } = await observe(router).decision(response.headers.get("x-veriroute-decision"));
  expect(attempts.map(({ target, kind }) => ({ target, kind }))).toEqual([
    { target: "a:m", kind: "timeout" },
    { target: "b:m", kind: "timeout" },
  ]);
  expect(attempts[0]?.duration_ms).toBeGreaterThan(500);
  expect(attempts[1]?.duration_ms).toBeLessThan(500);
  expect((await errorOf(response))["message"]).toContain("`b`: no answer before");
  // The first ran into its own limit, the second only into the request's.
  expect((await observe(router).health()).map(({ eligible }) => eligible)).toEqual([false, true]);
});

test.each([
  {
    what: "a stream outlasts the deadline once its content has begun",
    limits: '[routing]\ndeadline = "700ms"',
    frames: [role + word, ...times(9, word), END],
  },
  {
    what: "comments keep a stream from being idle",
    limits: '[routing]\nidle_timeout = "500ms"',
    frames: [role + word, ...times(9, ": working\n\n"), END],
  },
  {
    what: "a stream may take its time to the first content, however short the idle limit",
    limits: '[routing]\nidle_timeout = "50ms"\nfirst_token_timeout = "5s"',
    frames: [role, word + END],
    gap_ms: 150,
  },
  {
    what: "the limit to headers is no limit to the stream",
    limits: '[routing]\nfirst_byte_timeout = "700ms"',
    frames: [role, ...times(9, word), END],
  },
])("$what", async ({ limits, frames, gap_ms = 100 }) => {
  using upstream = scriptedUpstream((wire) => dripped(wire, frames, gap_ms));
  await using router = await startRouter({
    config: `${limits}\n${provider("a", upstream.base_url)}`,
  });

  const response = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));

  expect(await response.text()).toBe(frames.join(""));
  expect(await observe(router).lastDecision()).toMatchObject({ outcome: "ok" });
});

test("the limit to headers does not apply to an answer that has none before it is done", async () => {
  using upstream = scriptedUpstream(async (wire) => {
    await Bun.sleep(200);
    wire.json(completion("slow"));
  });
  await using router = await startRouter({
    config: `[routing]\nfirst_byte_timeout = "100ms"\n${provider("a", upstream.base_url)}`,
  });

  const response = await router.post("/v1/chat/completions", chat("a:m"));

  expect(response.status).toBe(200);
});

test("`max_stream` ends a stream that goes on for ever, without blame", async () => {
  using upstream = scriptedUpstream((wire) => dripped(wire, [role, ...times(40, word)], 20));
  await using router = await startRouter({
    config: `[routing]\nmax_stream = "200ms"\n${provider("a", upstream.base_url)}`,
  });

  const response = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));

  expect(await response.text()).toEndWith(
    'data: {"error":{"message":"`a`: the stream outlasted `routing.max_stream` (max_stream, 200 ms)",' +
      '"type":"server_error","param":null,"code":"upstream_timeout"}}\n\ndata: [DONE]\n\n',
  );
  await upstream.requests[0]?.closed;
  expect(await observe(router).lastDecision()).toMatchObject({
    outcome: "interrupted",
    attempts: [{ kind: "timeout" }],
  });
  expect(await observe(router).health()).toEqual([{ target: "a:m", eligible: true, in_flight: 0 }]);
});

test("`max_stream` frees the upstream even of a client that reads no more", async () => {
  using upstream = scriptedUpstream((wire) => {
    wire.sse();
    wire.write(role + chunk({ content: "x".repeat(1000) }).repeat(20_000));
  });
  await using router = await startRouter({
    config: `[routing]\nmax_stream = "300ms"\n${provider("a", upstream.base_url)}`,
  });
  const { health, lastDecision } = observe(router);
  const client = await rawClient(router.url);
  client.pause();
  client.write(rawChat(chat("a:m", { stream: true })));

  const call = await until(() => upstream.requests[0]);
  await call.closed;

  expect(await lastDecision()).toMatchObject({ outcome: "interrupted" });
  expect(await health()).toEqual([{ target: "a:m", eligible: true, in_flight: 0 }]);
  client.leave();
});

test("the idle limit does not run while the client is slow", async () => {
  const frame = chunk({ content: "x".repeat(1000) });
  using upstream = scriptedUpstream((wire) => {
    wire.sse();
    wire.write(role + frame.repeat(20_000) + END);
    wire.end();
  });
  await using router = await startRouter({
    config: `[routing]\nidle_timeout = "800ms"\n${provider("a", upstream.base_url)}`,
  });
  const { lastDecision } = observe(router);
  const client = await rawClient(router.url);
  client.write(rawChat(chat("a:m", { stream: true })));
  await client.saw("xxxx");
  client.pause();
  await until(() => upstream.backlog() > 0);

  // Nothing moves for twice the limit.
  await Bun.sleep(1600);
  const stuck = upstream.backlog();
  client.resume();
  await client.saw("[DONE]");

  expect(stuck).toBeGreaterThan(0);
  expect(await lastDecision()).toMatchObject({ outcome: "ok" });
  client.leave();
});

test("a provider's own limit beats the router's", async () => {
  using upstream = scriptedUpstream(() => {});
  await using router = await startRouter({
    config: `[routing]\nresponse_timeout = "10m"\n${provider("a", upstream.base_url, 'response_timeout = "100ms"')}`,
  });

  const response = await router.post("/v1/chat/completions", chat("a:m"));

  expect((await errorOf(response))["message"]).toBe(
    "`a`: no complete answer (response_timeout, 100 ms)",
  );
});
