/**
 * What the steps of a request cost on their own: time of a call, as a median of batches and as a multiple of
 * what JSON.parse takes for an answer, and the memory it allocates. Each step runs in two processes of its own, one of them without
 * garbage collection, where what the process grows by is what was allocated.
 * `bun scripts/bench/micro.ts [--json FILE] [--batches N]`
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { type Case, CASES } from "./micro/cases.ts";
import { median } from "./rig/numbers.ts";

const { values } = parseArgs({
  options: {
    batches: { type: "string", default: "15" },
    json: { type: "string" },
    /** Set for the processes of single steps. */
    step: { type: "string" },
    measure: { type: "string" },
  },
});
const BATCH_MS = 20;
const WARM_MS = 500;
/** Enough to tell allocation from the growth of a process, little enough for any machine. */
const GROWTH_BYTES = 128 * 1024 ** 2;
const GROWTH_CALLS = 200_000;
/** Keeps results reachable, so that no call is optimised away. */
const kept: { last: unknown } = { last: undefined };

if (values.step === undefined) await table();
else console.log(String(measure(Number(values.step))));

function measure(step: number): number {
  const call = CASES[step]?.prepare();
  if (call === undefined) throw new Error(`there is no step ${step}`);
  const calls = repeat(call, WARM_MS);
  if (values.measure === "bytes") return bytesOf(call);
  const each = Math.max(1, Math.round((calls * BATCH_MS) / WARM_MS));
  return median(
    Array.from({ length: Number(values.batches) }, () => {
      const began = performance.now();
      for (let n = 0; n < each; n++) kept.last = call();
      return ((performance.now() - began) * 1000) / each;
    }),
  );
}

/** How often it was called in the given time. */
function repeat(call: () => unknown, duration_ms: number): number {
  const end = performance.now() + duration_ms;
  let calls = 0;
  for (; performance.now() < end; calls++) kept.last = call();
  return calls;
}

function bytesOf(call: () => unknown): number {
  const before = process.memoryUsage.rss();
  let calls = 0;
  while (calls < GROWTH_CALLS && process.memoryUsage.rss() - before < GROWTH_BYTES) {
    for (let n = 0; n < 100; n++) kept.last = call();
    calls += 100;
  }
  return (process.memoryUsage.rss() - before) / calls;
}

interface Row extends Pick<Case, "what" | "wanted_us"> {
  /** Microseconds and bytes of a call. */
  readonly us: number;
  readonly bytes: number;
}

async function table(): Promise<void> {
  const rows: Row[] = [];
  for (const [step, { what, wanted_us }] of CASES.entries()) {
    const us = await inProcess(step, "time", {});
    const bytes = await inProcess(step, "bytes", { BUN_JSC_useGC: "0" });
    rows.push({ what, wanted_us, us, bytes });
    print({ what, wanted_us, us, bytes }, rows[0]?.us ?? Number.NaN);
  }
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
}

async function inProcess(
  step: number,
  measured: "time" | "bytes",
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const words = [process.execPath, import.meta.path, "--step", String(step), "--measure", measured];
  const child = Bun.spawn([...words, "--batches", values.batches], {
    env: { ...process.env, ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  const text = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error(`step ${step} failed`);
  return Number(text);
}

function print({ what, wanted_us, us, bytes }: Row, baseline_us: number): void {
  const missed = wanted_us !== null && us > wanted_us;
  const verdict = missed ? `  MISSED: ${wanted_us} µs wanted` : "";
  console.log(
    `${what.padEnd(32)} ${us.toFixed(3).padStart(9)} µs ${(us / baseline_us).toFixed(2).padStart(7)}× ` +
      `${bytes.toFixed(0).padStart(8)} bytes${verdict}`,
  );
}
