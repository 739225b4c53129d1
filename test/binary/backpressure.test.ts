import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import type { Socket } from "bun";

import { serveConfig } from "../support/home-server.ts";
import { observe } from "../support/observe.ts";
import { rawChat, rawClient } from "../support/raw-client.ts";
import { chat, provider } from "../support/router.ts";
import { chunk } from "../support/scripted-upstream.ts";
import { until } from "../support/until.ts";

const MB = 1_000_000;
const TOTAL = 500 * MB;

const PAUSE_MS = 15_000;
const MAX_GROWTH = 32 * MB;

interface Flood {
  left: number;
  at: number;
}

/** An upstream that sends events as fast as they are taken, `TOTAL` bytes of them. */
function floodingUpstream() {
  const frame = Buffer.from(chunk({ content: "x".repeat(16_000) }).repeat(16));
  let sent = 0;
  const pump = (socket: Socket<Flood>) => {
    const { data } = socket;
    while (data.left > 0) {
      const piece = frame.subarray(data.at, Math.min(frame.length, data.at + data.left));
      const taken = socket.write(piece);
      sent += taken;
      data.left -= taken;
      data.at = (data.at + taken) % frame.length;
      if (taken < piece.length) return;
    }
  };
  const listener = Bun.listen<Flood>({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(socket) {
        socket.data = { left: 0, at: 0 };
      },
      data(socket, bytes) {
        if (!bytes.toString("latin1").startsWith("POST")) return;
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
        socket.data.left = Math.floor(TOTAL / frame.length) * frame.length;
        pump(socket);
      },
      drain: pump,
      error() {},
    },
  });
  return {
    base_url: `http://127.0.0.1:${listener.port}/v1`,
    sent: () => sent,
    [Symbol.dispose]: () => listener.stop(true),
  };
}

/** Bytes of memory that a process holds now. */
function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

/** Code and heap that any first streams cost are no cost of the one that stalls. */
async function warmUp(url: string): Promise<void> {
  for (let n = 0; n < 30; n++) {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(chat("sim:story", { stream: true })),
      proxy: false,
    });
    await response.text();
  }
}

test("a client that stops reading stops the upstream, and costs neither memory nor anybody's health", async () => {
  using upstream = floodingUpstream();
  await using server = await serveConfig(provider("a", upstream.base_url, 'idle_timeout = "2s"'));
  const { health, lastDecision } = observe(server);
  await warmUp(server.url);
  const before = residentBytes(server.pid);
  const client = await rawClient(server.url);
  client.write(rawChat(chat("a:m", { stream: true })));
  await client.saw("xxxx");

  client.pause();
  const samples: number[] = [];
  const end = performance.now() + PAUSE_MS;
  while (performance.now() < end) {
    await Bun.sleep(250);
    samples.push(residentBytes(server.pid));
  }
  const sent = upstream.sent();
  const growth = Math.max(...samples) - before;
  process.stdout.write(
    `paused ${PAUSE_MS / 1000} s: the upstream got rid of ${(sent / MB).toFixed(1)} MB of 500, ` +
      `RSS ${(before / MB).toFixed(1)} MB, at most ${(growth / MB).toFixed(1)} MB more\n`,
  );

  // What it got rid of lies in the kernel's buffers.
  expect(sent).toBeLessThan(MAX_GROWTH);
  expect(growth).toBeLessThan(MAX_GROWTH);
  expect(await health()).toEqual([{ target: "a:m", eligible: true, in_flight: 1 }]);

  client.leave();
  expect(await until(lastDecision)).toMatchObject({ outcome: "cancelled" });
  expect(await health()).toEqual([{ target: "a:m", eligible: true, in_flight: 0 }]);
}, 70_000);
