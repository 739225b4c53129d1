/**
 * What the steps of a request cost on their own: time of a call, as a median of batches and as a multiple of
 * what JSON.parse takes for an answer, and the memory it allocates. Each step runs in two processes of its own, one of them without
 * garbage collection, where what the process grows by is what was allocated.
 * `bun scripts/bench/micro.ts [--json FILE] [--batches N]`
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { type Case, CASES, type Step } from "./micro/cases.ts";
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
/** Where a process without garbage collection ends. */
const MOST_BYTES = 2 * 1024 ** 3;
/** Keeps results reachable, so that no call is optimised away. */
const kept: { last: unknown } = { last: undefined };

if (values.step === undefined) await table();
else console.log(String(measure(Number(values.step))));

function measure(index: number): number {
  const step = CASES[index]?.prepare();
  if (step === undefined) throw new Error(`there is no step ${index}`);
  const calls = repeat(step, WARM_MS);
  if (values.measure === "bytes") return bytesOf(step);
  const each = Math.max(1, Math.round((calls * BATCH_MS) / WARM_MS));
  return median(Array.from({ length: Number(values.batches) }, () => timeOf(step, each)));
}

/** Microseconds of a step, over so many calls. */
function timeOf({ call, before, steps = 1 }: Step, calls: number): number {
  let spent_ms = 0;
  // Looking at the clock costs more than some steps take.
  const block = before === undefined ? calls : 1;
  for (let done = 0; done < calls; done += block) {
    before?.();
    const began = performance.now();
    for (let n = 0; n < block; n++) kept.last = call();
    spent_ms += performance.now() - began;
  }
  return (spent_ms * 1000) / (calls * steps);
}

/** How often it was called in the given time. */
function repeat({ call, before }: Step, duration_ms: number): number {
  const end = performance.now() + duration_ms;
  let calls = 0;
  for (; performance.now() < end; calls++) {
    before?.();
    kept.last = call();
  }
  return calls;
}

function bytesOf({ call, before, steps = 1 }: Step): number {
  const block = before === undefined ? 100 : 1;
  let [grown, calls] = [0, 0];
  while (calls < GROWTH_CALLS && grown < GROWTH_BYTES) {
    before?.();
    const at = process.memoryUsage.rss();
    for (let n = 0; n < block; n++) kept.last = call();
    grown += process.memoryUsage.rss() - at;
    calls += block;
    if (process.memoryUsage.rss() > MOST_BYTES) break;
  }
  return grown / (calls * steps);
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
