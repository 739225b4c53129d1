/** Starts the programs of a benchmark, each with a home of its own, and takes the time until it answers. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Subprocess } from "bun";

import { onCore } from "./cores.ts";

export interface Started {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  readonly pid: number;
  /** From exec to the first answer of `ready_path`. */
  readonly ready_ms: number;
  /** Its home, gone after `stop`. */
  readonly home: string;
  /** Ends it, and waits for that; by force after ten seconds. */
  readonly stop: () => Promise<void>;
}

export interface Launch {
  readonly name: string;
  /** The command, once its port and home are known. */
  readonly words: (place: { readonly port: number; readonly home: string }) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Answers below 500 once the program serves. */
  readonly ready_path?: string;
  readonly core: number | null;
}

/** What must not outlive this process, however it ends. */
const alive = new Map<Subprocess, { readonly home: string }>();
process.on("exit", () => {
  for (const [child, { home }] of alive) {
    child.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  }
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

const READY_LIMIT_MS = 20_000;
const STOP_LIMIT_MS = 10_000;

export async function start(launch: Launch): Promise<Started> {
  const { name, words, env = {}, ready_path = "/", core } = launch;
  const home = mkdtempSync(join(tmpdir(), "veriroute-bench-"));
  const port = freePort();
  const command = onCore(core, words({ port, home }));
  const began = performance.now();
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home, ...env };
  const child = Bun.spawn(command, {
    env: environment,
    cwd: home,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  alive.set(child, { home });
  const stop = async () => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
    await child.exited;
    clearTimeout(timer);
    alive.delete(child);
  };
  const leave = async () => {
    await stop();
    rmSync(home, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  if (await answers(url + ready_path, () => child.exitCode === null)) {
    return { url, pid: child.pid, ready_ms: performance.now() - began, home, stop: leave };
  }
  await stop();
  const said = complaint(command, environment);
  rmSync(home, { recursive: true, force: true });
  throw new Error(`${name} did not start: ${command.join(" ")}\n${said}`);
}

/** What it says when it is started once more, since what it wrote the first time was not kept. */
function complaint(command: string[], env: Readonly<Record<string, string>>): string {
  const { stdout, stderr } = Bun.spawnSync(command, {
    env,
    timeout: 2000,
  });
  return `${stdout.toString()}${stderr.toString()}`.slice(-2000);
}

/** A port that was free a moment ago. */
function freePort(): number {
  const probe = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  const { port } = probe;
  probe.stop(true);
  return port;
}

async function answers(url: string, isAlive: () => boolean): Promise<boolean> {
  const end = performance.now() + READY_LIMIT_MS;
  while (performance.now() < end && isAlive()) {
    try {
      const response = await fetch(url, { proxy: false, signal: AbortSignal.timeout(1000) });
      await response.arrayBuffer();
      if (response.status < 500) return true;
    } catch {
      // Not there yet.
    }
    await Bun.sleep(1);
  }
  return false;
}
