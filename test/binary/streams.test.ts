import { expect, test } from "bun:test";

import { HALF, sse } from "../support/failing.ts";
import { serveConfig } from "../support/home-server.ts";
import { observe } from "../support/observe.ts";
import { rawChat, rawClient } from "../support/raw-client.ts";
import { chat, provider } from "../support/router.ts";
import {
  chunk,
  completion,
  scriptedUpstream,
  streamOf,
  type Wire,
} from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const HELD = 600;
const END = `${chunk({ content: " whole" }, "stop")}data: [DONE]\n\n`;

test("600 streams are held at once, the next request is answered at once, and nobody is blamed", async () => {
  const held: Wire[] = [];
  using upstream = scriptedUpstream((wire, { method }) => {
    if (method === "GET") return wire.json({ object: "list", data: [] });
    sse(wire, HALF);
    return held.push(wire);
  });
  using quick = scriptedUpstream((wire) => wire.json(completion("at once")));
  await using server = await serveConfig(
    provider("a", upstream.base_url) + provider("quick", quick.base_url),
  );
  const { health, inFlight } = observe(server);
  const clients = await Promise.all(Array.from({ length: HELD }, () => rawClient(server.url)));

  for (const client of clients) client.write(rawChat(chat("a:m", { stream: true })));
  await Promise.all(clients.map((client) => client.saw("half")));

  expect(held).toHaveLength(HELD);
  expect(await inFlight()).toBe(HELD);
  const asked = performance.now();
  const next = await rawClient(server.url);
  next.write(rawChat(chat("quick:m")));
  await next.saw("at once");
  expect(performance.now() - asked).toBeLessThan(1000);
  next.leave();
  expect(await health()).toEqual([
    { target: "a:m", eligible: true, in_flight: HELD },
    { target: "quick:m", eligible: true, in_flight: 0 },
  ]);

  for (const wire of held) wire.write(END);
  await Promise.all(clients.map((client) => client.saw("[DONE]")));
  await until(async () => (await inFlight()) === 0);

  expect((await health()).map(({ in_flight, eligible }) => ({ in_flight, eligible }))).toEqual([
    { in_flight: 0, eligible: true },
    { in_flight: 0, eligible: true },
  ]);
  for (const client of clients) client.leave();
}, 60_000);

test("an answer that is silent for 40 s survives, stream and not", async () => {
  const silence_ms = 40_000;
  using upstream = scriptedUpstream(async (wire, { method, body }) => {
    if (method === "GET") return wire.json({ object: "list", data: [] });
    const { stream } = JSON.parse(new TextDecoder().decode(body));
    await Bun.sleep(silence_ms);
    if (stream !== true) return wire.json(completion("after the silence"));
    sse(wire, streamOf("after the silence"));
    return wire.end();
  });
  await using server = await serveConfig(provider("a", upstream.base_url));
  const ask = (stream: boolean) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      proxy: false,
      timeout: false,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(chat("a:m", { stream })),
    }).then((response) => response.text());

  const [whole, streamed] = await Promise.all([ask(false), ask(true)]);

  expect(JSON.parse(whole).choices[0].message.content).toBe("after the silence");
  // Headers at 15 s, comments at 15 and 30 s.
  expect(streamed).toMatch(/^(: keep-alive\n\n){2,3}: veriroute \{/);
  expect(streamed).toEndWith(streamOf("after the silence"));
  expect(await observe(server).health()).toEqual([{ target: "a:m", eligible: true, in_flight: 0 }]);
}, 60_000);
