import { expect, test } from "bun:test";

import { errorOf, observe } from "../support/observe.ts";
import { rawChat, type RawClient, rawClient } from "../support/raw-client.ts";
import { chat, startRouter, type TestRouter } from "../support/router.ts";
import { until } from "../support/until.ts";

const LONG = chat("sim:echo", { metadata: { filler: "x".repeat(100_000) } });

/** A chat request whose length nobody announces; its last chunk is left out. */
function rawChunks(body: object): string {
  const text = JSON.stringify(body);
  const head = "POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\n";
  const size = Buffer.byteLength(text).toString(16);
  return `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${size}\r\n${text}\r\n`;
}

const BODIES = [
  { what: "short", bytes: rawChat(chat("sim:echo")) },
  { what: "long", bytes: rawChat(LONG) },
  { what: "chunked", bytes: `${rawChunks(chat("sim:echo"))}0\r\n\r\n` },
];

/** Sends all but the last bytes of a request, and waits until the router counts it as open. */
async function begin(router: TestRouter, bytes: string): Promise<RawClient> {
  const client = await rawClient(router.url);
  client.write(bytes.slice(0, -3));
  await until(async () => (await observe(router).inFlight()) === 1);
  return client;
}

function answerOf(client: RawClient) {
  const [head = "", body = ""] = client.received().split("\r\n\r\n");
  const [status = ""] = /\d{3}/.exec(head) ?? [];
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim();
  return { status: Number(status), header, error: JSON.parse(body).error };
}

test.each(BODIES)("a $what upload that stalls is told so, and its slot is free", async (row) => {
  await using router = await startRouter({
    config: '[server]\nmax_in_flight = 1\nupload_timeout = "300ms"\n',
  });
  const client = await begin(router, row.bytes);
  const refused = await router.post("/v1/chat/completions", chat("sim:echo"));

  await client.closed;
  const answered = await router.post("/v1/chat/completions", chat("sim:echo"));

  expect(await errorOf(refused)).toMatchObject({ code: "router_busy" });
  const { status, header, error } = answerOf(client);
  expect({ status, code: error.code }).toEqual({ status: 408, code: "upload_timeout" });
  expect(await observe(router).decision(header("x-veriroute-decision") ?? null)).toMatchObject({
    outcome: "failed",
    status: 408,
    attempts: [],
  });
  expect(answered.status).toBe(200);
});

test.each(BODIES.slice(1))("a $what upload that is slow but steady is answered", async (row) => {
  await using router = await startRouter({ config: '[server]\nupload_timeout = "1s"\n' });
  const client = await rawClient(router.url);
  const pieces = 30;
  const size = Math.ceil(row.bytes.length / pieces);

  for (let at = 0; at < row.bytes.length; at += size) {
    client.write(row.bytes.slice(at, at + size));
    await Bun.sleep(50);
  }
  await client.saw('"veriroute"');

  expect(client.received()).toStartWith("HTTP/1.1 200 ");
  client.leave();
});

test.each(BODIES)(
  "a $what upload under way at a stop gets the drain, then 503 in words",
  async ({ bytes }) => {
    await using router = await startRouter({ config: '[server]\ndrain = "400ms"\n' });
    const client = await begin(router, bytes);
    const from = performance.now();

    const stopped = router.app.stop();
    await client.closed;
    const drained_ms = performance.now() - from;
    await stopped;

    const { status, header, error } = answerOf(client);
    expect({ status, code: error.code, wait: header("retry-after") }).toEqual({
      status: 503,
      code: "router_shutdown",
      wait: "1",
    });
    expect(drained_ms).toBeGreaterThan(350);
  },
);

test("an upload that is whole within the drain is answered at once, though nothing is begun for it", async () => {
  await using router = await startRouter({ config: '[server]\ndrain = "60s"\n' });
  const bytes = rawChat(LONG);
  const client = await begin(router, bytes);

  const stopped = router.app.stop();
  client.write(bytes.slice(-3));
  await stopped;

  const { status, error } = answerOf(client);
  expect({ status, code: error.code }).toEqual({ status: 503, code: "router_shutdown" });
});
