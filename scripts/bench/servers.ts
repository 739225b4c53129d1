/** Processes that benchmarks talk to. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Server {
  readonly url: string;
  readonly pid: number;
  readonly ready_ms: number;
  stop(): Promise<void>;
}

const ENVIRONMENT = {
  BUN_CONFIG_MAX_HTTP_REQUESTS: "65535",
  VERIROUTE_ROUTING_DISCOVER_LOCAL: "false",
  VERIROUTE_SERVER_KEEPALIVE_AFTER: "off",
  VERIROUTE_LOG_LEVEL: "warn",
};

/** Starts a process that prints its URL, with a home of its own, and waits for it. */
async function start(words: string[], home: string): Promise<Server> {
  const began = performance.now();
  const env = { ...ENVIRONMENT, PATH: process.env["PATH"] ?? "", HOME: home };
  const child = Bun.spawn(words, { env, stdout: "pipe", stderr: "ignore" });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of child.stdout) {
    text += decoder.decode(chunk, { stream: true });
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
    if (url === undefined) continue;
    const stop = async () => {
      child.kill("SIGTERM");
      await child.exited;
      rmSync(home, { recursive: true, force: true });
    };
    return { url, pid: child.pid, ready_ms: performance.now() - began, stop };
  }
  throw new Error(`no URL from ${words.join(" ")}: ${text}`);
}

const newHome = () => mkdtempSync(join(tmpdir(), "veriroute-bench-"));

/** The other side: an `upstream` that answers at once. */
export function play(role: "upstream"): Promise<Server> {
  const peer = join(import.meta.dir, `${role}.ts`);
  return start([process.execPath, peer], newHome());
}

export const BINARY = join(import.meta.dir, "..", "..", "dist", "veriroute");

/** The router before an upstream that serves `bench:m`, with further lines of config. */
export async function startRouter(
  upstream: string,
  { binary = BINARY, config = "" }: { readonly binary?: string; readonly config?: string } = {},
): Promise<Server> {
  const home = newHome();
  const file = join(home, "bench.toml");
  const bench = `[providers.bench]\ntype = "openai-compatible"\nbase_url = "${upstream}/v1"\nmodels = ["m"]\n`;
  await Bun.write(file, bench + config);
  return start([binary, "serve", "--port", "0", "--config", file], home);
}
