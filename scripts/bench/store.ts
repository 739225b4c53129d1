/** How long the main thread is held up while decisions are written and while 200k expired ones go. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { systemClock } from "../../src/lib/clock.ts";
import { openStore } from "../../src/store/open.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import type { Store } from "../../src/store/store.ts";
import { decision } from "../../test/support/decisions.ts";

const EXPIRED = 200_000;
const LIMIT_AT = 1_000_000_000;
const TICKS = 2000;

const folder = mkdtempSync(join(tmpdir(), "veriroute-bench-"));
try {
  const path = join(folder, "veriroute.db");
  fill(path);
  const store = await openStore({ path, log: console, clock: systemClock });
  const baseline = report("idle", await lateness(TICKS, () => undefined), undefined);
  const write = () => store.recordDecision(decision());
  report("writing", await lateness(TICKS, write), baseline);
  await pruneWhile(store, write, baseline);
  await store.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fill(path: string): void {
  const db = openDatabase(path);
  db.query(
    `WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :rows)
     INSERT INTO decision (id, at, record)
     SELECT 'old-' || n, n, json_set(:record, '$.at', n) FROM number`,
  ).run({ rows: EXPIRED, record: JSON.stringify(decision({ attempts: [] })) });
  db.close();
}

async function pruneWhile(store: Store, write: () => void, baseline: number): Promise<void> {
  const started = performance.now();
  const pruning = { done: false };
  const result = store.prune({ before: LIMIT_AT, max_size_bytes: 1e12 }).finally(() => {
    pruning.done = true;
  });
  const late: number[] = [];
  while (!pruning.done) late.push(...(await lateness(100, write)));
  report("pruning", late, baseline);
  const { deleted, size_bytes } = await result;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`deleted ${deleted} in ${seconds} s, ${Math.round(size_bytes / 1e6)} MB left`);
  console.log(`dropped ${store.stats().dropped}`);
}

/** By how much each of `ticks` one-millisecond timers came late, in milliseconds. */
async function lateness(ticks: number, work: () => void): Promise<number[]> {
  const late: number[] = [];
  for (let n = 0; n < ticks; n++) {
    const started = performance.now();
    work();
    await Bun.sleep(1);
    late.push(performance.now() - started - 1);
  }
  return late;
}

/** Prints and returns the 99th percentile. */
function report(name: string, late: readonly number[], baseline: number | undefined): number {
  const sorted = late.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  const ratio = baseline === undefined ? "1.0" : (p99 / baseline).toFixed(1);
  const max = (sorted.at(-1) ?? 0).toFixed(2);
  console.log(`${name.padEnd(8)} p99 ${p99.toFixed(2)} ms late, max ${max} ms, ${ratio}× idle`);
  return p99;
}
