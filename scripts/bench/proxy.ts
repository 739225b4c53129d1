/**
 * What the router costs: throughput and added latency beside a bare `Bun.serve` + `fetch`
 * pass-through, streamed and not, memory, and time from exec to ready. All from one run; ratios
 * count, absolute figures depend on the machine. `bun scripts/bench/proxy.ts [--seconds N]`
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "4" },
    connections: { type: "string", default: "32" },
  },
});
const SECONDS = Number(values.seconds);
const CONNECTIONS = Number(values.connections);
const root = join(import.meta.dir, "..", "..");
const directory = mkdtempSync(join(tmpdir(), "veriroute-bench-"));
const env = {
  PATH: process.env["PATH"] ?? "",
  HOME: directory,
  BUN_CONFIG_MAX_HTTP_REQUESTS: "65535",
  VERIROUTE_ROUTING_DISCOVER_LOCAL: "false",
  VERIROUTE_SERVER_KEEPALIVE_AFTER: "off",
  VERIROUTE_LOG_LEVEL: "warn",
};

interface Server {
  readonly url: string;
  readonly pid: number;
  readonly ready_ms: number;
  stop(): Promise<void>;
}

/** Starts a process that prints its URL, and waits for it. */
async function start(words: string[], extra: Record<string, string> = {}): Promise<Server> {
  const began = performance.now();
  const child = Bun.spawn(words, { env: { ...env, ...extra }, stdout: "pipe", stderr: "ignore" });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (url === undefined) continue;
    const stop = async () => {
      child.kill("SIGTERM");
      await child.exited;
    };
    return { url, pid: child.pid, ready_ms: performance.now() - began, stop };
  }
  throw new Error(`no URL from ${words.join(" ")}: ${text}`);
}

const play = (role: string, upstream = "") =>
  start([process.execPath, join(import.meta.dir, "proxy-peers.ts"), role, upstream]);

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
const config = join(directory, "bench.toml");
await Bun.write(
  config,
  `[providers.bench]\ntype = "openai-compatible"\nbase_url = "${upstream.url}/v1"\nmodels = ["m"]\n`,
);
const router = await start([
  join(root, "dist", "veriroute"),
  "serve",
  "--port",
  "0",
  "--config",
  config,
]);
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
  rmSync(directory, { recursive: true, force: true });
}
