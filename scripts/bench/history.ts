/**
 * Whether a long history costs anything: a router over a store with many decisions beside one over an empty
 * store, same binary, in interleaved rounds; then every admin list over it. Build first; 5,000,000 rows take
 * some 10 GB of disk and minutes to write.
 * `bun scripts/bench/history.ts [--rows N] [--rounds N] [--pairs N] [--seconds N] [--patience SECONDS] [--binary FILE]
 * [--folder DIR] [--json FILE]`
 */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { type Contestant, router, type Running, startContestant } from "./compare/contestants.ts";
import { measureStart } from "./compare/footprint.ts";
import { type Added, type Field, measureLatency } from "./compare/latency.ts";
import { type ByName, toJson } from "./compare/results.ts";
import { measureDeltas } from "./compare/throughput.ts";
import { fillHistory } from "./history/fill.ts";
import { adminQueries, deepPage, type QueryTime, timeQuery } from "./history/queries.ts";
import { findCores, pinSelf } from "./rig/cores.ts";
import { createQuiet } from "./rig/quiet.ts";
import { start } from "./rig/start.ts";
import { BINARY } from "./servers.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "200000" },
    rounds: { type: "string", default: "7" },
    pairs: { type: "string", default: "500" },
    seconds: { type: "string", default: "2" },
    patience: { type: "string", default: "300" },
    binary: { type: "string", default: BINARY },
    folder: { type: "string", default: tmpdir() },
    json: { type: "string" },
  },
});
const ROWS = Number(values.rows);
/** What a list may take. */
const WANTED_MS = 100;
const TIMES = 7;
/** Retention must leave the rows alone. */
const KEEP_ALL = `[store]\nretention = "3650d"\nmax_size = "1024GiB"\n`;
const EMPTY = "empty store";
const FULL = `${ROWS} decisions`;

const folder = mkdtempSync(join(values.folder, "veriroute-history-"));
try {
  await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const now = Date.now();
  const began = performance.now();
  const full = stateDirectory("full");
  fillHistory(join(full, "veriroute.db"), ROWS, now);
  const megabytes = Math.round(statSync(join(full, "veriroute.db")).size / 1e6);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`wrote ${ROWS} decisions in ${seconds} s: ${megabytes} MB`);

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
  const contestant = (name: string, state: string): Contestant =>
    router(
      { name, binary: values.binary, config: KEEP_ALL, env: { VERIROUTE_STATE_DIR: state } },
      { upstream: upstream.url, core: cores?.gateway ?? null },
    );
  const quiet = createQuiet({ patience_ms: Number(values.patience) * 1000 });
  const contestants = [contestant(EMPTY, stateDirectory("empty")), contestant(FULL, full)];
  const starts = new Map<string, number>();
  const gateways: Running[] = [];
  try {
    for (const each of contestants) {
      starts.set(each.name, await measureStart(each, { rounds: Number(values.rounds), quiet }));
    }
    for (const each of contestants) gateways.push(await startContestant(each));
    await compare({ upstream: upstream.url, gateways, quiet }, starts, now);
  } finally {
    for (const { stop } of gateways) await stop();
    await upstream.stop();
  }
}

function stateDirectory(name: string): string {
  const directory = join(folder, name);
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

async function compare(field: Field, starts: ByName<number>, now: number): Promise<void> {
  const plan = { bytes: 200, rounds: Number(values.rounds) };
  const pairs = Number(values.pairs);
  const seconds = Number(values.seconds);
  const latency = await measureLatency(field, { ...plan, kind: "whole", pairs, at_once: 1 });
  const deltas = await measureDeltas(field, { ...plan, connections: 10, seconds });
  printRequests(starts, latency, deltas);
  const full = field.gateways.find(({ name }) => name === FULL);
  const queries = full === undefined ? [] : await timeQueries(full.url, now);
  const { counts: quiet } = field.quiet;
  console.log(
    `${quiet.thrown_away} measurements made again, ${quiet.disturbed} kept although disturbed`,
  );
  if (values.json === undefined) return;
  writeFileSync(values.json, toJson({ rows: ROWS, starts, latency, deltas, queries, quiet }));
}

function printRequests(
  starts: ByName<number>,
  latency: ByName<Added>,
  deltas: ByName<number>,
): void {
  console.log(`\n${" ".repeat(20)}    ready, ms   added p50, ms   added p99, ms   deltas a second`);
  for (const [name, ready_ms] of starts) {
    const { end_p50_ms = Number.NaN, end_p99_ms = Number.NaN } = latency.get(name) ?? {};
    const rate = (deltas.get(name) ?? Number.NaN).toFixed(0);
    const cells = [ready_ms.toFixed(0), end_p50_ms.toFixed(3), end_p99_ms.toFixed(3), rate];
    console.log(`${name.padEnd(20)} ${cells.map((cell) => cell.padStart(15)).join("")}`);
  }
  const added = (name: string) => latency.get(name)?.end_p50_ms ?? Number.NaN;
  const ratio = (added(FULL) / added(EMPTY)).toFixed(2);
  console.log(`added to the median: ${ratio} of what the router over an empty store adds`);
}

async function timeQueries(origin: string, now: number): Promise<readonly QueryTime[]> {
  const paths = adminQueries(now);
  paths.push(await deepPage(origin, "/admin/v1/decisions?limit=500", 20));
  const times: QueryTime[] = [];
  console.log("\nadmin lists, ms     first    p50  longest  items");
  for (const path of paths) {
    const time = await timeQuery(origin, path, TIMES);
    times.push(time);
    const cells = [time.first_ms, time.p50_ms, time.longest_ms].map((ms) =>
      ms.toFixed(1).padStart(8),
    );
    const verdict = time.p50_ms > WANTED_MS ? `  ABOVE ${WANTED_MS} ms` : "";
    console.log(`${cells.join(" ")} ${String(time.items).padStart(6)}  ${path}${verdict}`);
  }
  return times;
}
