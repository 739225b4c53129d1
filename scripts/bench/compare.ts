/**
 * The router beside its peers, in one run: a bare `Bun.serve` + `fetch`, nginx, Portkey's gateway, and itself
 * with one part off. Gateways share one processor, load and upstream another. Ratios count; absolute
 * figures depend on the machine. Prints tables, writes JSON. Build first.
 * `bun scripts/bench/compare.ts [--quick] [--only throughput,latency,streams,start,memory] [--rounds N] [--seconds N]
 * [--pairs N] [--sustain SECONDS] [--rest SECONDS] [--patience SECONDS] [--binary FILE] [--scratch DIR] [--json FILE]
 * [--no-variants] [--profile]`
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { barsOf } from "./compare/bars.ts";
import {
  BARE,
  type Contestant,
  PORTKEYS,
  ROUTER,
  type Running,
  startContestant,
} from "./compare/contestants.ts";
import { compareStream, compareWhole } from "./compare/fidelity.ts";
import { measureMemory, measureStart, type Memory } from "./compare/footprint.ts";
import { type Field, measureLatency } from "./compare/latency.ts";
import { lineUp } from "./compare/line-up.ts";
import { findPieces } from "./compare/pieces.ts";
import { printProfile } from "./compare/profile.ts";
import { printBars, printResults } from "./compare/report.ts";
import { type Results, toJson } from "./compare/results.ts";
import { readSettings } from "./compare/settings.ts";
import { measureDeltas, measureWhole } from "./compare/throughput.ts";
import { createWrk, type Wrk } from "./compare/wrk.ts";
import { findCores, pinSelf } from "./rig/cores.ts";
import { createQuiet, waitUntilQuiet } from "./rig/quiet.ts";
import { start } from "./rig/start.ts";

const LOADS = [
  { connections: 10, bytes: 200 },
  { connections: 50, bytes: 200 },
  { connections: 10, bytes: 10_000 },
  { connections: 10, bytes: 100_000 },
] as const;

const settings = readSettings();
const { sections, rounds, seconds, pairs, scratch } = settings;
const pieces = findPieces(scratch);
const cores = findCores();
if (cores === null) console.log("skip: pinning: needs two processors and taskset (util-linux)");
else pinSelf(cores.load);
const quiet = createQuiet({ patience_ms: settings.patience * 1000 });

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
const ground = { upstream: upstream.url, core: cores?.gateway ?? null };
const wrk =
  pieces.wrk === null
    ? null
    : createWrk({ program: pieces.wrk, scratch, core: cores?.load ?? null });

const results: Results = { throughput: [] };
try {
  if (settings.profile) await printProfile(ground, settings);
  else await compare();
} finally {
  await upstream.stop();
}

async function compare(): Promise<void> {
  const contestants = lineUp({ pieces, settings, ground });
  const patience_ms = Math.min(60, settings.patience) * 1000;
  if (!(await waitUntilQuiet(patience_ms)))
    console.log("the machine is busy; going on all the same");
  const gateways: Running[] = [];
  try {
    for (const contestant of contestants) gateways.push(await startContestant(contestant));
    await underLoad({ upstream: upstream.url, gateways, quiet });
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  }
  await fromStart(contestants);
  printResults(results);
  printBars(barsOf(results));
  const { measured, thrown_away, disturbed } = quiet.counts;
  console.log(
    `\n${measured} measurements, ${thrown_away} made again because others used the machine, ` +
      `${disturbed} kept although they did`,
  );
  console.log(`written to ${settings.json}`);
}

/** Adds what a stage found, and writes all of it down, so that a run that is cut short was not for nothing. */
function keep(found: Partial<Results>): void {
  Object.assign(results, found);
  mkdirSync(dirname(settings.json), { recursive: true });
  const written = { settings, quiet: quiet.counts, results, bars: barsOf(results) };
  writeFileSync(settings.json, toJson(written));
}

/** What is measured with all gateways up, one of them at work at a time. */
async function underLoad(field: Field): Promise<void> {
  keep({ fidelity: await measureFidelity(field) });
  if (wrk !== null && sections.has("throughput")) await measureThroughput(field, wrk);
  const plan = { rounds, pairs, at_once: 1, bytes: 200 };
  if (sections.has("latency")) {
    tell("latency");
    keep({ latency: await measureLatency(field, { ...plan, kind: "whole" }) });
  }
  if (!sections.has("streams")) return;
  tell("unpaced streams");
  keep({ burst: await measureLatency(field, { ...plan, kind: "burst" }) });
  tell("paced streams");
  keep({ paced: await measureLatency(field, { ...plan, kind: "paced", at_once: 20 }) });
  tell("deltas a second");
  keep({ deltas: await measureDeltas(field, { connections: 10, bytes: 200, seconds, rounds }) });
}

async function measureFidelity({ gateways }: Field) {
  const fidelity = new Map<string, { stream: string; whole: string }>();
  for (const gateway of gateways) {
    const stream = await compareStream(gateway);
    fidelity.set(gateway.name, { stream, whole: await compareWhole(gateway) });
  }
  return fidelity;
}

async function measureThroughput(field: Field, load: Wrk): Promise<void> {
  for (const { connections, bytes } of LOADS) {
    tell(`requests a second, ${connections} connections, ${bytes} bytes`);
    const per_second = await measureWhole(field, { connections, bytes, seconds, rounds }, load);
    keep({ throughput: [...results.throughput, { connections, bytes, per_second }] });
  }
}

/** What needs processes of its own. */
async function fromStart(contestants: readonly Contestant[]): Promise<void> {
  const whole = contestants.filter(({ name }) => [ROUTER, BARE, ...PORTKEYS].includes(name));
  const start_ms = new Map<string, number>();
  const memory = new Map<string, Memory>();
  for (const contestant of whole) {
    if (!sections.has("start")) break;
    tell(`start of ${contestant.name}`);
    start_ms.set(contestant.name, await measureStart(contestant, { rounds, quiet }));
    keep({ start: start_ms });
  }
  const plan = { seconds: settings.sustain, rest_ms: settings.rest * 1000, connections: 10 };
  for (const contestant of whole) {
    if (!sections.has("memory")) break;
    tell(`memory of ${contestant.name}`);
    memory.set(contestant.name, await measureMemory(contestant, plan));
    keep({ memory });
  }
}

/** Where it is; apart from the tables, which may go to a file. */
function tell(stage: string): void {
  const { thrown_away, disturbed } = quiet.counts;
  console.error(`… ${stage} (${thrown_away} made again, ${disturbed} disturbed so far)`);
}
