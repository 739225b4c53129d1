/**
 * Streams through a fleet that fails in every way the simulator knows: what each fault came to, and
 * whether memory grows. `bun scripts/bench/chaos.ts [--seconds N] [--streams N]`; build first.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { startRouter } from "./servers.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    streams: { type: "string", default: "50" },
  },
});
const SECONDS = Number(values.seconds);
const STREAMS = Number(values.streams);

/** Each fault is the first choice of a pool of its own, before a model that answers. */
const FAULTS: Readonly<Record<string, string>> = {
  none: "story?tokens_per_second=200",
  empty: "empty?rate=0.5",
  mojibake: "mojibake?rate=0.5",
  slow: "slow",
  stall: "stall?rate=0.3",
  cut: "cut?rate=0.5",
  loop: "loop?rate=0.5",
  refuse: "refuse?rate=0.5",
  rate_limit: "status?code=429&rate=0.5",
  server: "status?code=500&rate=0.5",
  badjson: "badjson?rate=0.5",
  error200: "error200?rate=0.5",
  leak: "leak?rate=0.5",
};

const config = [
  ...Object.keys(FAULTS).map(
    (name) =>
      `[providers.${name}]\ntype = "sim"\nbase_url = "http://${name.replace("_", "-")}.sim.invalid/v1"\nfirst_token_timeout = "2s"\nidle_timeout = "2s"`,
  ),
  `[providers.sound]\ntype = "sim"\nbase_url = "http://sound.sim.invalid/v1"`,
  ...Object.entries(FAULTS).map(
    ([name, spec]) => `[pools.${name}]\ntargets = ["${name}:${spec}", "sound:story"]`,
  ),
].join("\n");

interface Row {
  requests: number;
  complete: number;
  rescued: number;
  error_status: number;
  error_event: number;
  /** Neither a proper end nor an error: what must not happen. */
  broken: number;
}

const rows = new Map<string, Row>(
  Object.keys(FAULTS).map((name) => [
    name,
    { requests: 0, complete: 0, rescued: 0, error_status: 0, error_event: 0, broken: 0 },
  ]),
);

function count(row: Row, response: Response, text: string): void {
  row.requests++;
  if (!response.ok) {
    const isClear = text.includes('"error"') && text.includes('"code"');
    row[isClear ? "error_status" : "broken"]++;
    return;
  }
  const isEnded = text.trimEnd().endsWith("data: [DONE]");
  if (!isEnded) row.broken++;
  else if (/^data: \{"error"/m.test(text)) row.error_event++;
  else if (/"finish_reason":"[a-z_]+"/.test(text)) row.complete++;
  else row.broken++;
  if (isEnded && response.headers.get("x-veriroute-target")?.startsWith("sound:") === true) {
    row.rescued++;
  }
}

function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(status) ?? [];
  return Number(kilobytes) / 1024;
}

const router = await startRouter("http://127.0.0.1:9", { config });
const began = performance.now();
let early = 0;
let asked = 0;

async function client(): Promise<void> {
  while (performance.now() - began < SECONDS * 1000) {
    const names = [...rows.keys()];
    const name = names[asked++ % names.length] ?? "none";
    const response = await fetch(`${router.url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: `pool:${name}`,
        stream: true,
        messages: [{ role: "user", content: `Question ${asked}: what does a harbour master do?` }],
      }),
      proxy: false,
    });
    const row = rows.get(name);
    if (row) count(row, response, await response.text());
    if (early === 0 && performance.now() - began > (SECONDS * 1000) / 3) {
      early = memoryOf(router.pid);
    }
  }
}

try {
  await Promise.all(Array.from({ length: STREAMS }, client));
  const late = memoryOf(router.pid);
  console.table(Object.fromEntries(rows));
  const ratio = (late / early).toFixed(2);
  console.log(
    `RSS ${early.toFixed(0)} MB after ${Math.round(SECONDS / 3)} s, ${late.toFixed(0)} MB after ${SECONDS} s, ratio ${ratio}`,
  );
} finally {
  await router.stop();
}
