/**
 * What the router costs: throughput and added latency beside a bare `Bun.serve` + `fetch`
 * pass-through, streamed and not, memory, and time from exec to ready. All from one run; ratios
 * count, absolute figures depend on the machine. `bun scripts/bench/proxy.ts [--seconds N] [--connections N] [--binary FILE]`
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { BINARY, play, type Server, startRouter } from "./servers.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "32" },
    binary: { type: "string", default: BINARY },
  },
});
const SECONDS = Number(values.seconds);
const CONNECTIONS = Number(values.connections);

function memoryOf(pid: number): number {
  const [, kilobytes = "0"] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

interface Figures {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Keeps `connections` requests open for the given time and takes the time of each. */
async function load(url: string, stream: boolean, connections: number): Promise<Figures> {
  const body = JSON.stringify({
    model: "bench:m",
    stream,
    messages: [{ role: "user", content: "x".repeat(2000) }],
  });
  const times: number[] = [];
  const end = performance.now() + SECONDS * 1000;
  const worker = async () => {
    while (performance.now() < end) {
      const began = performance.now();
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        proxy: false,
      });
      const text = await response.text();
      if (!response.ok || text.length < 100) throw new Error(`${response.status}: ${text}`);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { per_second: Math.round(times.length / SECONDS), p50_ms: at(0.5), p99_ms: at(0.99) };
}

async function compare(bare: Server, router: Server, stream: boolean): Promise<void> {
  const kind = stream ? "stream (50 chunks)" : "non-stream";
  for (const connections of [1, CONNECTIONS]) {
    await load(bare.url, stream, connections);
    await load(router.url, stream, connections);
    const a = await load(bare.url, stream, connections);
    const b = await load(router.url, stream, connections);
    const ratio = (b.per_second / a.per_second).toFixed(2);
    const added = (b.p50_ms - a.p50_ms).toFixed(2);
    const addedTail = (b.p99_ms - a.p99_ms).toFixed(2);
    console.log(
      `${kind}, ${connections} at once: bare ${a.per_second}/s, veriroute ${b.per_second}/s, ratio ${ratio}; ` +
        `p50 ${a.p50_ms.toFixed(2)} → ${b.p50_ms.toFixed(2)} ms (+${added}), p99 ${a.p99_ms.toFixed(2)} → ${b.p99_ms.toFixed(2)} ms (+${addedTail})`,
    );
  }
}

const upstream = await play("upstream");
const bare = await play("bare", upstream.url);
const router = await startRouter(upstream.url, { binary: values.binary });
try {
  console.log(
    `exec to ready: bare ${bare.ready_ms.toFixed(0)} ms (from source), veriroute ${router.ready_ms.toFixed(0)} ms (binary)`,
  );
  console.log(`RSS idle: bare ${memoryOf(bare.pid)} MB, veriroute ${memoryOf(router.pid)} MB`);
  await compare(bare, router, false);
  await compare(bare, router, true);
  console.log(`RSS loaded: bare ${memoryOf(bare.pid)} MB, veriroute ${memoryOf(router.pid)} MB`);
} finally {
  await Promise.all([upstream.stop(), bare.stop(), router.stop()]);
}
