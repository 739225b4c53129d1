import { expect, test } from "bun:test";

import { observe } from "../support/observe.ts";
import { rawChat, rawClient } from "../support/raw-client.ts";
import { chat, pool, provider, startRouter } from "../support/router.ts";
import {
  chunk,
  completion,
  scriptedUpstream,
  streamOf,
  type Wire,
} from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

/** How soon an upstream must learn that nobody waits. */
const NOTICED_MS = 1000;

interface Phase {
  readonly phase: string;
  readonly stream: boolean;
  readonly script: (wire: Wire) => void;
  /** What the client has got when it leaves. */
  readonly seen?: string;
  readonly server?: string;
}

const opened = (wire: Wire, ...frames: string[]) => {
  wire.sse();
  wire.write(frames.join(""));
};
const role = chunk({ role: "assistant", content: "" });

test.each<Phase>([
  { phase: "before the upstream's headers", stream: true, script: () => {} },
  { phase: "before the upstream's headers", stream: false, script: () => {} },
  { phase: "before the first token", stream: true, script: (wire) => opened(wire, role) },
  {
    phase: "mid-stream",
    stream: true,
    script: (wire) => opened(wire, role, chunk({ content: "half" })),
    seen: "half",
  },
  {
    phase: "behind an early commit",
    stream: true,
    script: () => {},
    seen: ": keep-alive",
    server: '[server]\nkeepalive_after = "20ms"\n',
  },
  {
    phase: "in the middle of a JSON answer",
    stream: false,
    script(wire) {
      wire.head(200, { "content-type": "application/json", "content-length": "5000" });
      wire.write('{"id":"x","choices":[');
    },
  },
])(
  "a client that leaves $phase (stream: $stream) frees the upstream and blames nobody",
  async ({ stream, script, seen, server = "" }) => {
    using upstream = scriptedUpstream(script);
    using spare = scriptedUpstream((wire) => wire.json(completion("never")));
    await using router = await startRouter({
      config:
        server + provider("a", upstream.base_url) + provider("b", spare.base_url) + pool("a", "b"),
    });
    const { lastDecision, health, inFlight } = observe(router);
    const client = await rawClient(router.url);
    client.write(rawChat(chat("pool:main", { stream })));
    const call = await until(() => upstream.requests[0]);
    if (seen !== undefined) await client.saw(seen);

    const left = performance.now();
    client.leave();
    await call.closed;
    const noticed_ms = performance.now() - left;
    const decision = await lastDecision();

    expect(noticed_ms).toBeLessThan(NOTICED_MS);
    expect(decision).toMatchObject({
      outcome: "cancelled",
      status: 499,
      error_code: "client_closed_request",
    });
    expect(decision.attempts.map(({ target, kind }) => ({ target, kind }))).toEqual([
      { target: "a:m", kind: "cancelled" },
    ]);
    expect(spare.requests).toHaveLength(0);
    expect(await health()).toEqual([
      { target: "a:m", eligible: true, in_flight: 0 },
      { target: "b:m", eligible: true, in_flight: 0 },
    ]);
    expect(await inFlight()).toBe(0);
  },
);

test("a client that leaves while it sends its body is recorded as gone, and nothing is asked", async () => {
  using upstream = scriptedUpstream((wire) => wire.json(completion("never")));
  await using router = await startRouter({ config: provider("a", upstream.base_url) });
  const { lastDecision, inFlight } = observe(router);
  const client = await rawClient(router.url);
  const whole = rawChat(chat("a:m"));

  client.write(whole.slice(0, -5));
  // The server has seen the head once it answers another request on another connection.
  await router.get("/health/live");
  client.leave();

  expect(await lastDecision()).toMatchObject({
    outcome: "cancelled",
    status: 499,
    error_code: "client_closed_request",
    attempts: [],
  });
  expect(await inFlight()).toBe(0);
  expect(upstream.requests).toHaveLength(0);
});

test("a client that leaves in the pause before a retry gets no retry", async () => {
  using upstream = scriptedUpstream((wire) =>
    wire.json({ error: { message: "overloaded", type: "overloaded_error" } }, 503),
  );
  await using router = await startRouter({
    config: provider("a", upstream.base_url),
    random: () => 0.9,
  });
  const { lastDecision, health } = observe(router);
  const client = await rawClient(router.url);
  client.write(rawChat(chat("a:m")));
  await until(() => upstream.requests[0]);
  await until(async () => (await health()).every(({ in_flight }) => in_flight === 0));

  client.leave();

  expect(await lastDecision()).toMatchObject({ outcome: "cancelled", status: 499 });
  expect(upstream.requests).toHaveLength(1);
  expect(await health()).toEqual([{ target: "a:m", eligible: true, in_flight: 0 }]);
});

test("a client that closes right after `[DONE]` was answered, usage and all, though the upstream stays open", async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
  using upstream = scriptedUpstream((wire) => {
    opened(wire, role, chunk({ content: "hi" }), chunk({}, "stop"));
    wire.write(`data: ${JSON.stringify({ id: "c", choices: [], usage })}\n\ndata: [DONE]\n\n`);
  });
  await using router = await startRouter({ config: provider("a", upstream.base_url) });
  const { lastDecision, health } = observe(router);
  const client = await rawClient(router.url);
  client.write(rawChat(chat("a:m", { stream: true })));

  await client.saw("[DONE]");
  client.leave();
  await upstream.requests[0]?.closed;

  expect(await lastDecision()).toMatchObject({
    outcome: "ok",
    status: 200,
    usage: { input_tokens: 3, output_tokens: 2 },
    attempts: [{ kind: "ok", usage: { input_tokens: 3, output_tokens: 2 } }],
  });
  expect(await health()).toEqual([{ target: "a:m", eligible: true, in_flight: 0 }]);
});

test("a client that leaves mid-stream is charged with what it used so far", async () => {
  const usage = { prompt_tokens: 7, completion_tokens: 1, total_tokens: 8 };
  using upstream = scriptedUpstream((wire) => {
    opened(wire, role);
    const choices = [{ index: 0, delta: { content: "half" }, finish_reason: null }];
    wire.write(`data: ${JSON.stringify({ id: "c", choices, usage })}\n\n`);
  });
  await using router = await startRouter({ config: provider("a", upstream.base_url) });
  const client = await rawClient(router.url);
  client.write(rawChat(chat("a:m", { stream: true })));

  await client.saw("half");
  client.leave();

  expect(await observe(router).lastDecision()).toMatchObject({
    outcome: "cancelled",
    usage: { input_tokens: 7, output_tokens: 1 },
  });
});

test("a stream nobody reads any more is settled when its client leaves", async () => {
  using upstream = scriptedUpstream((wire) => {
    opened(wire, role);
    const frame = chunk({ content: "x".repeat(64_000) });
    for (let sent = 0; sent < 100; sent++) wire.write(frame);
  });
  await using router = await startRouter({ config: provider("a", upstream.base_url) });
  const { lastDecision, health } = observe(router);
  const client = await rawClient(router.url);
  client.pause();
  client.write(rawChat(chat("a:m", { stream: true })));
  await until(async () => (await health()).some(({ in_flight }) => in_flight === 1));

  client.leave();

  expect(await lastDecision()).toMatchObject({ outcome: "cancelled" });
  expect(await health()).toEqual([{ target: "a:m", eligible: true, in_flight: 0 }]);
});

test("an upstream that ends its body after `[DONE]` keeps its connection for the next stream", async () => {
  using upstream = scriptedUpstream((wire) => {
    const text = streamOf("fine");
    wire.head(200, { "content-type": "text/event-stream", "transfer-encoding": "chunked" });
    wire.write(`${text.length.toString(16)}\r\n${text}\r\n`);
    setTimeout(() => wire.write("0\r\n\r\n"), 10);
  });
  await using router = await startRouter({ config: provider("a", upstream.base_url) });

  for (const _ of [1, 2, 3]) {
    const response = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));
    expect(await response.text()).toEndWith("data: [DONE]\n\n");
    await Bun.sleep(30);
  }

  expect(upstream.requests).toHaveLength(3);
  // One for the check that it can be connected to, one for all three calls.
  expect(upstream.accepted()).toBe(2);
});
