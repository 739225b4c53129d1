import { expect, test } from "bun:test";
import { join } from "node:path";

import { HALF, sse } from "../support/failing.ts";
import { openTestStore } from "../support/open-store.ts";
import { rawChat, rawClient } from "../support/raw-client.ts";
import { chat, pool, provider, startRouter, type TestRouter } from "../support/router.ts";
import { chunk, completion, scriptedUpstream } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const drain = (duration: string, more = "") => `[server]\ndrain = "${duration}"\n${more}`;
const SHUTDOWN =
  'data: {"error":{"message":"the router is shutting down; try again in a moment",' +
  '"type":"server_error","param":null,"code":"router_shutdown"}}\n\ndata: [DONE]\n\n';

/** What the database of a stopped router says of its decisions, newest first. */
async function stored(router: TestRouter) {
  await using store = await openTestStore(join(router.directory, "state", "veriroute.db"));
  const { items } = await store.listDecisions({ limit: 10 });
  return items.map(({ outcome, status, error_code }) => ({ outcome, status, error_code }));
}

test("a stream that ends within the drain ends as if nothing were", async () => {
  const gate = Promise.withResolvers<void>();
  using upstream = scriptedUpstream(async (wire) => {
    sse(wire, HALF);
    await gate.promise;
    wire.write(`${chunk({}, "stop")}data: [DONE]\n\n`);
    wire.end();
  });
  await using router = await startRouter({
    config: drain("5s") + provider("a", upstream.base_url),
  });
  const response = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));

  const stopped = router.app.stop();
  gate.resolve();

  expect(await response.text()).toBe(`${HALF}${chunk({}, "stop")}data: [DONE]\n\n`);
  await stopped;
  expect(await stored(router)).toEqual([{ outcome: "ok", status: 200, error_code: null }]);
});

test("an answer that comes within the drain is whole, and the last thing its connection carries", async () => {
  const gate = Promise.withResolvers<void>();
  using upstream = scriptedUpstream(async (wire) => {
    await gate.promise;
    wire.json(completion("just in time"));
  });
  await using router = await startRouter({
    config: drain("5s") + provider("a", upstream.base_url),
  });
  const client = await rawClient(router.url);
  client.write(rawChat(chat("a:m")));
  await until(() => upstream.requests[0]);

  const stopped = router.app.stop();
  gate.resolve();
  await client.closed;
  await stopped;

  expect(client.received()).toContain("just in time");
});

test.each([
  { what: "with content out", script: HALF, received: HALF, server: "" },
  {
    what: "behind an early commit",
    script: "",
    received: ": keep-alive\n\n",
    server: 'keepalive_after = "80ms"\n',
  },
])("a stream $what that outlasts the drain ends with the error event", async (row) => {
  using upstream = scriptedUpstream((wire) => sse(wire, row.script));
  await using router = await startRouter({
    config: drain("0s", row.server) + provider("a", upstream.base_url),
  });
  const response = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));

  await router.app.stop();
  const text = await response.text();

  expect(text).toStartWith(row.received);
  expect(text).toEndWith(SHUTDOWN);
  await upstream.requests[0]?.closed;
  expect(await stored(router)).toEqual([
    {
      outcome: row.script === "" ? "failed" : "interrupted",
      status: 200,
      error_code: "router_shutdown",
    },
  ]);
});

test.each([{ stream: false }, { stream: true }])(
  "a request without an answer yet is told to come back in a second (stream: $stream)",
  async ({ stream }) => {
    using upstream = scriptedUpstream(() => {});
    await using router = await startRouter({
      config: `[server]\ndrain = "50ms"\n${provider("a", upstream.base_url)}`,
    });
    const answer = router.post("/v1/chat/completions", chat("a:m", { stream }));
    await until(() => upstream.requests[0]);

    const [response] = await Promise.all([answer, router.app.stop()]);

    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(response.headers.get("x-should-retry")).toBeNull();
    expect(await response.json()).toEqual({
      error: {
        code: "router_shutdown",
        type: "server_error",
        param: null,
        message: "the router is shutting down; try again in a moment",
      },
    });
    await upstream.requests[0]?.closed;
    expect(await stored(router)).toEqual([
      { outcome: "failed", status: 503, error_code: "router_shutdown" },
    ]);
  },
);

test("no attempt begins once the router stops: neither a retry nor the next target", async () => {
  const gate = Promise.withResolvers<void>();
  using failing = scriptedUpstream(async (wire) => {
    await gate.promise;
    wire.json({ error: { message: "boom" } }, 500);
  });
  using spare = scriptedUpstream((wire) => wire.json(completion("never")));
  await using router = await startRouter({
    config:
      drain("5s") +
      provider("a", failing.base_url) +
      provider("b", spare.base_url) +
      pool("a", "b"),
  });
  const answer = router.post("/v1/chat/completions", chat("pool:main"));
  await until(() => failing.requests[0]);

  const stopped = router.app.stop();
  gate.resolve();
  const response = await answer;
  await stopped;

  expect(response.status).toBe(503);
  expect((await response.text()).includes('"router_shutdown"')).toBe(true);
  expect([failing.requests.length, spare.requests.length]).toEqual([1, 0]);
});

test("a request on a connection that is still open is refused while the router drains", async () => {
  using upstream = scriptedUpstream((wire) => sse(wire, HALF));
  await using router = await startRouter({
    config: drain("400ms") + provider("a", upstream.base_url),
  });
  const holder = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));
  const client = await rawClient(router.url);
  client.write(rawChat(chat("sim:echo")));
  await client.saw('"veriroute"');
  const before = client.received().length;

  const stopped = router.app.stop();
  client.write(rawChat(chat("sim:echo")));
  await client.closed;
  await stopped;

  const late = client.received().slice(before);
  // Refused in words or by closing; never answered.
  expect(late === "" || late.includes("router_shutdown")).toBe(true);
  await holder.text();
});

test("a client that reads nothing does not hold the router up", async () => {
  using upstream = scriptedUpstream((wire) =>
    sse(wire, HALF, chunk({ content: "x".repeat(1000) }).repeat(20_000)),
  );
  await using router = await startRouter({
    config: drain("50ms") + provider("a", upstream.base_url),
  });
  const client = await rawClient(router.url);
  client.write(rawChat(chat("a:m", { stream: true })));
  await client.saw("half");
  client.pause();
  await until(() => upstream.backlog() > 0);

  await router.app.stop();

  expect(await stored(router)).toMatchObject([
    { outcome: "interrupted", error_code: "router_shutdown" },
  ]);
  client.leave();
});
