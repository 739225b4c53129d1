/**
 * Whether anything grows or slows down: a million requests, whole answers, streams and clients that leave
 * mixed, with memory, file descriptors, database and latency over time as a plot, and a verdict. Exits with 1
 * where a promise is broken. Build first.
 * `bun scripts/bench/soak.ts [--requests N] [--connections N] [--rest SECONDS] [--samples N] [--binary FILE] [--out DIR]`
 */
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { ROUTER, router, type Running, startContestant } from "./compare/contestants.ts";
import { findCores, pinSelf } from "./rig/cores.ts";
import { quantile } from "./rig/numbers.ts";
import { descriptorsOf, memoryOf } from "./rig/processes.ts";
import { start } from "./rig/start.ts";
import { BINARY } from "./servers.ts";
import { chart } from "./soak/chart.ts";
import { type SoakLoad, startSoak } from "./soak/load.ts";
import { judgeSoak, type Sample } from "./soak/verdict.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "1000000" },
    connections: { type: "string", default: "32" },
    rest: { type: "string", default: "30" },
    samples: { type: "string", default: "200" },
    binary: { type: "string", default: BINARY },
    out: { type: "string", default: join(tmpdir(), "veriroute-soak") },
  },
});
const requests = Number(values.requests);
const between = requests / Number(values.samples);

const cores = findCores();
if (cores) pinSelf(cores.load);
const upstream = await start({
  name: "upstream",
  core: cores?.load ?? null,
  ready_path: "/v1/models",
  words: ({ port }) => [
    process.execPath,
    join(import.meta.dir, "rig/fast-upstream.ts"),
    String(port),
  ],
});
try {
  const ground = { upstream: upstream.url, core: cores?.gateway ?? null };
  const gateway = await startContestant(router({ name: ROUTER, binary: values.binary }, ground));
  try {
    await soak(gateway);
  } finally {
    await gateway.stop();
  }
} finally {
  await upstream.stop();
}

async function soak(gateway: Running): Promise<void> {
  const load = startSoak(gateway.url, { requests, connections: Number(values.connections) });
  const samples = await sampled(gateway, load);
  await load.over;
  await Bun.sleep(Number(values.rest) * 1000);
  const findings = judgeSoak({
    samples,
    rss_after_mb: memoryOf(gateway.pid),
    descriptors_after: descriptorsOf(gateway.pid),
    failed: load.counts.failed,
    dropped_rows: await droppedRows(gateway.url),
  });
  const { whole, streams, aborted } = load.counts;
  const seconds = samples.at(-1)?.at_s ?? 0;
  console.log(
    `${whole} whole answers, ${streams} streams, ${aborted} left half way, in ${seconds.toFixed(0)} s; ` +
      `database ${(samples.at(-1)?.database_mb ?? 0).toFixed(0)} MB`,
  );
  for (const { what, text, ok } of findings)
    console.log(`${ok ? "ok    " : "FAILED"} ${what}: ${text}`);
  mkdirSync(values.out, { recursive: true });
  const counts = load.counts;
  writeFileSync(
    join(values.out, "soak.json"),
    `${JSON.stringify({ counts, findings, samples }, null, 2)}\n`,
  );
  writeFileSync(join(values.out, "soak.svg"), plot(samples));
  console.log(`written to ${values.out}/soak.svg and soak.json`);
  if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
}

/** Reads after every so many requests, until all are over. */
async function sampled(gateway: Running, load: SoakLoad): Promise<Sample[]> {
  const samples: Sample[] = [];
  const database = join(gateway.home, ".local/state/veriroute/veriroute.db");
  const phase = { over: false };
  const finished = load.over.finally(() => (phase.over = true));
  const began = performance.now();
  while (!phase.over) {
    await Promise.race([finished, Bun.sleep(50)]);
    const { whole, streams, aborted } = load.counts;
    const done = whole + streams + aborted;
    const last = samples.at(-1);
    // Once all are over the connections are gone, and a reading would be of something else.
    if (phase.over || done - (last?.requests ?? 0) < between) continue;
    const at_s = (performance.now() - began) / 1000;
    const times = load.takeTimes();
    samples.push({
      at_s,
      requests: done,
      rss_mb: memoryOf(gateway.pid),
      descriptors: descriptorsOf(gateway.pid),
      database_mb: (sizeOf(database) + sizeOf(`${database}-wal`)) / 1e6,
      per_second: (done - (last?.requests ?? 0)) / (at_s - (last?.at_s ?? 0)),
      p50_ms: quantile(times, 0.5),
      p99_ms: quantile(times, 0.99),
    });
  }
  return samples;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function droppedRows(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { proxy: false })).text();
  return Number(/^veriroute_store_dropped_rows_total (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

function plot(samples: readonly Sample[]): string {
  const column = (of: (sample: Sample) => number) => samples.map(of);
  return chart(
    column(({ requests: done }) => done),
    [
      { title: "resident memory", unit: "MB", lines: { RSS: column(({ rss_mb }) => rss_mb) } },
      {
        title: "file descriptors",
        unit: "open",
        lines: { open: column(({ descriptors }) => descriptors) },
      },
      {
        title: "database",
        unit: "MB",
        lines: { "file and log": column(({ database_mb }) => database_mb) },
      },
      {
        title: "requests",
        unit: "a second",
        lines: { rate: column(({ per_second }) => per_second) },
      },
      {
        title: "latency of whole answers",
        unit: "ms",
        lines: { p50: column(({ p50_ms }) => p50_ms), p99: column(({ p99_ms }) => p99_ms) },
      },
    ],
    { x_label: "requests" },
  );
}
