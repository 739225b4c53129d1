import { expect, test } from "bun:test";

import { serveConfig } from "../support/home-server.ts";
import { rawChat, rawClient } from "../support/raw-client.ts";
import { chat } from "../support/router.ts";

const UPLOAD = rawChat(chat("sim:echo", { metadata: { filler: "x".repeat(100_000) } }));
/** Longer than the server's own idle limit, with which a link this slow would not do. */
const SECONDS = 45;
const PIECE = Math.ceil(UPLOAD.length / SECONDS);

test("an upload of 45 s is answered, one that stalls is given up after 30 s", async () => {
  await using server = await serveConfig("");
  const [slow, stalled] = [await rawClient(server.url), await rawClient(server.url)];
  let end: number | undefined;
  const from = performance.now();
  void stalled.closed.then(() => (end = performance.now() - from));
  stalled.write(UPLOAD.slice(0, PIECE));

  for (let at = 0; at < UPLOAD.length; at += PIECE) {
    slow.write(UPLOAD.slice(at, at + PIECE));
    await Bun.sleep(1000);
  }
  await slow.saw('"veriroute"');

  expect(slow.received()).toStartWith("HTTP/1.1 200 ");
  expect(stalled.received()).toStartWith("HTTP/1.1 408 ");
  expect(stalled.received()).toContain('"upload_timeout"');
  expect(end).toBeGreaterThan(29_000);
  expect(end).toBeLessThan(40_000);
  slow.leave();
}, 90_000);

test("an upload under way at SIGTERM gets the drain, then 503 with a wait of a second", async () => {
  await using server = await serveConfig('[server]\ndrain = "2s"\n');
  const client = await rawClient(server.url);
  client.write(UPLOAD.slice(0, PIECE));
  // Answered after the upload has begun, so that the signal meets it.
  await fetch(`${server.url}/health/live`, { proxy: false });
  const from = performance.now();

  server.signal("SIGTERM");
  await client.closed;

  expect(performance.now() - from).toBeGreaterThan(1900);
  expect(client.received()).toStartWith("HTTP/1.1 503 ");
  expect(client.received()).toMatch(/^retry-after: 1\r$/im);
  expect(client.received()).toContain('"router_shutdown"');
  expect(await server.exited).toBe(0);
}, 30_000);
