import { expect, test } from "bun:test";

import { observe } from "../support/observe.ts";
import { rawChat, rawClient } from "../support/raw-client.ts";
import { chat, pool, provider, startRouter } from "../support/router.ts";
import { completion, scriptedUpstream, streamOf } from "../support/scripted-upstream.ts";

const SERVER = '[server]\nkeepalive_after = "80ms"\n';

/** The router's own headers of an answer. */
function ownHeaders({ headers }: Response): string[] {
  return [...headers.keys()].filter((name) => name.startsWith("x-veriroute-")).toSorted();
}

test("silence commits a stream's headers early, and failover goes on behind them", async () => {
  using slow = scriptedUpstream(() => {});
  using spare = scriptedUpstream(async (wire) => {
    await Bun.sleep(100);
    wire.sse({ "x-ratelimit-remaining-requests": "9" });
    wire.write(streamOf("from the spare"));
    wire.end();
  });
  await using router = await startRouter({
    config:
      SERVER +
      provider("a", slow.base_url, 'first_byte_timeout = "250ms"') +
      provider("b", spare.base_url) +
      pool("a", "b"),
  });

  const response = await router.post("/v1/chat/completions", chat("pool:main", { stream: true }), {
    headers: { "x-request-id": "mine" },
  });
  const text = await response.text();

  expect(response.status).toBe(200);
  expect(response.headers.get("x-request-id")).toBe("mine");
  expect(response.headers.get("x-ratelimit-remaining-requests")).toBeNull();
  expect(ownHeaders(response)).toEqual(["x-veriroute-decision"]);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("no-cache");
  expect(response.headers.get("x-accel-buffering")).toBe("no");
  expect(text).toMatch(
    /^(: keep-alive\n\n){2,}: veriroute \{"target":"b:m","attempts":2,"pool":"main"\}\n\ndata: \{/,
  );
  expect(text).toEndWith(streamOf("from the spare"));
  expect(await observe(router).lastDecision()).toMatchObject({
    outcome: "ok",
    status: 200,
    served: "b:m",
    attempts: [{ kind: "timeout" }, { kind: "ok" }],
  });
});

test("total failure behind an early commit is an error event, and `[DONE]`", async () => {
  using upstream = scriptedUpstream(() => {});
  await using router = await startRouter({
    config: SERVER + provider("a", upstream.base_url, 'first_byte_timeout = "200ms"'),
  });

  const response = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));
  const text = await response.text();

  expect(response.status).toBe(200);
  expect(text).toMatch(/^(: keep-alive\n\n)+data: \{"error":\{[^\n]+\}\}\n\ndata: \[DONE\]\n\n$/);
  expect(text).toContain('"code":"upstream_timeout"');
  expect(text).not.toContain(": veriroute");
  expect(await observe(router).lastDecision()).toMatchObject({
    outcome: "failed",
    status: 200,
    error_code: "upstream_timeout",
  });
});

test("silence in the middle of a stream is filled with comments too, between whole events", async () => {
  const frames = streamOf("one", "two");
  const cut = frames.indexOf("two") - 5;
  using upstream = scriptedUpstream(async (wire) => {
    wire.sse();
    wire.write(frames.slice(0, cut));
    await Bun.sleep(900);
    wire.write(frames.slice(cut));
    wire.end();
  });
  await using router = await startRouter({
    config: `[server]\nkeepalive_after = "400ms"\n${provider("a", upstream.base_url)}`,
  });

  const response = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));
  const text = await response.text();

  expect(text).toContain(": keep-alive\n\n");
  expect(text.replaceAll(": keep-alive\n\n", "")).toBe(frames);
});

test("`off` leaves the headers to the first content", async () => {
  using upstream = scriptedUpstream(async (wire) => {
    await Bun.sleep(200);
    wire.sse();
    wire.write(streamOf("late"));
    wire.end();
  });
  await using router = await startRouter({
    config: `[server]\nkeepalive_after = "off"\n${provider("a", upstream.base_url)}`,
  });

  const response = await router.post("/v1/chat/completions", chat("a:m", { stream: true }));

  expect(response.headers.get("x-veriroute-target")).toBe("a:m");
  expect(await response.text()).toBe(streamOf("late"));
});

test("a request for JSON gets no byte before its answer", async () => {
  using upstream = scriptedUpstream(async (wire) => {
    await Bun.sleep(300);
    wire.json(completion("late"));
  });
  await using router = await startRouter({ config: SERVER + provider("a", upstream.base_url) });
  const client = await rawClient(router.url);

  client.write(rawChat(chat("a:m")));
  await Bun.sleep(200);
  const early = client.received();
  await client.saw('"late"');

  expect(early).toBe("");
  client.leave();
});
