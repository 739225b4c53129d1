/**
 * What a request feels of retention: latency through the binary at a steady rate, before, while and
 * after 200k expired decisions are deleted. `bun scripts/bench/retention.ts [--rate N] [--seconds N]`
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { binaryPath, startBinary } from "../../test/support/binary.ts";
import { fillWithExpired } from "../../test/support/expired-decisions.ts";
import { openChat } from "../../test/support/load.ts";
import { databaseIn, runIn } from "../../test/support/state-directory.ts";

const EXPIRED = 200_000;

const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "5" },
  },
});
const PAUSE_MS = 1000 / Number(values.rate);
const SECONDS = Number(values.seconds);
const megabytes = (path: string) => Math.round(statSync(path).size / 1e6);

const directory = mkdtempSync(join(tmpdir(), "veriroute-bench-"));
try {
  binaryPath();
  const path = databaseIn(directory);
  fillWithExpired(path, EXPIRED);
  const before = megabytes(path);
  await using server = await startBinary([], runIn(directory, { VERIROUTE_LOG_LEVEL: "warn" }));
  await latencies(server.url, Bun.sleep(2000));
  const baseline = report("before", await latencies(server.url, Bun.sleep(SECONDS * 1000)));

  const began = performance.now();
  const pruned = fetch(`${server.url}/admin/v1/store/prune`, { method: "POST" });
  report("during", await latencies(server.url, pruned), baseline);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const { deleted } = JSON.parse(await (await pruned).text());
  report("after", await latencies(server.url, Bun.sleep(SECONDS * 1000)), baseline);
  console.log(`deleted ${deleted} in ${seconds} s; ${before} MB → ${megabytes(path)} MB`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** Latency of requests that start at the given rate, whatever became of the ones before; ms. */
async function latencies(url: string, end: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  const phase = { over: false };
  void end.finally(() => (phase.over = true));
  const ask = async (due: number) => {
    const answer = await openChat(url, { model: "sim:echo" });
    await answer.text();
    if (!answer.ok) throw new Error(`status ${answer.status}`);
    times.push(performance.now() - due);
  };
  for (let due = performance.now(); !phase.over; due += PAUSE_MS) {
    await Bun.sleep(Math.max(0, due - performance.now()));
    asked.push(ask(due));
  }
  await Promise.all(asked);
  return times;
}

interface Figures {
  readonly p50: number;
  readonly p99: number;
}

function report(phase: string, times: readonly number[], baseline?: Figures): Figures {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const figures = { p50: at(0.5), p99: at(0.99) };
  const shown = (name: keyof Figures) => {
    const added = baseline ? ` (added ${(figures[name] - baseline[name]).toFixed(2)})` : "";
    return `${name} ${figures[name].toFixed(2)}${added}`;
  };
  const max = (sorted.at(-1) ?? 0).toFixed(2);
  console.log(
    `${phase.padEnd(6)} ${times.length} requests, ms: ${shown("p50")}, ${shown("p99")}, max ${max}`,
  );
  return figures;
}
