import type { Bar } from "./bars.ts";
import { BARE, ROUTER } from "./contestants.ts";
import type { Added } from "./latency.ts";
import type { ByName, Results } from "./results.ts";

type Row = readonly string[];

/** Prints a table with a title; the first column is text, the others numbers. */
function print(title: string, rows: readonly Row[]): void {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  );
  console.log(`\n${title}`);
  for (const row of rows) {
    const cells = row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
    );
    console.log(`  ${cells.join("  ")}`);
  }
}

/** The figures of each gateway, and next to them what counts: the ratio to the bare pass-through. */
function numbers(values: ByName<number>, digits: number): Row[] {
  const base = values.get(BARE) ?? Number.NaN;
  return [...values].map(([name, value]) => [
    name,
    value.toFixed(digits),
    (value / base).toFixed(2),
  ]);
}

export function printResults(results: Results): void {
  for (const { connections, bytes, per_second } of results.throughput) {
    const title = `requests a second, ${connections} connections, requests of ${bytes} bytes`;
    print(title, [["", "a second", "÷ bare"], ...numbers(per_second, 0)]);
  }
  if (results.deltas) {
    print("deltas a second, unpaced streams", [
      ["", "a second", "÷ bare"],
      ...numbers(results.deltas, 0),
    ]);
  }
  const added = {
    "one request at a time": results.latency,
    "unpaced stream": results.burst,
    "paced streams": results.paced,
  };
  for (const [title, found] of Object.entries(added)) {
    if (!found) continue;
    const base = found.get(BARE);
    const rows = [...found].map(([name, each]) => addedRow(name, each, base));
    print(`added to ${title}, ms`, [
      ["", "first p50", "first p99", "end p50", "end p99", "p50 ÷ bare", "p99 ÷ bare"],
      ...rows,
    ]);
  }
  printFootprint(results);
  printSwitches(results);
}

function addedRow(name: string, added: Added, base: Added | undefined): Row {
  const { first_p50_ms, first_p99_ms, end_p50_ms, end_p99_ms } = added;
  return [
    name,
    ...[first_p50_ms, first_p99_ms, end_p50_ms, end_p99_ms].map((ms) => ms.toFixed(3)),
    (end_p50_ms / (base?.end_p50_ms ?? Number.NaN)).toFixed(2),
    (end_p99_ms / (base?.end_p99_ms ?? Number.NaN)).toFixed(2),
  ];
}

function printFootprint({ start, memory, fidelity }: Results): void {
  if (start) print("exec to ready, ms", [["", "ms", "÷ bare"], ...numbers(start, 0)]);
  if (memory) {
    const rows = [...memory].map(([name, { idle_mb, loaded_mb, after_mb }]) =>
      [name].concat([idle_mb, loaded_mb, after_mb].map((mb) => mb.toFixed(0))),
    );
    print("resident memory, MB", [["", "at rest", "loaded", "after"], ...rows]);
  }
  if (fidelity) {
    const rows = [...fidelity].map(([name, { stream, whole }]) => [name, stream, whole]);
    print("bytes that came through", [["", "stream", "whole"], ...rows]);
  }
}

/** What each part costs: the router with all of it beside the router without. */
function printSwitches({ throughput }: Results): void {
  const [first] = throughput;
  const all = first?.per_second.get(ROUTER);
  if (first === undefined || all === undefined) return;
  const rows = [...first.per_second]
    .filter(([name]) => name.startsWith(`${ROUTER}, `))
    .map(([name, rate]) => [name, `${((rate / all - 1) * 100).toFixed(1)} %`]);
  if (rows.length === 0) return;
  const { connections, bytes } = first;
  print(`more requests a second without a part, ${connections} connections, ${bytes} bytes`, rows);
}

export function printBars(bars: readonly Bar[]): void {
  const word = { true: "met", false: "MISSED", null: "–" } as const;
  const rows = bars.map(({ what, wanted, measured, met }) => [
    what,
    wanted,
    measured,
    word[`${met}`],
  ]);
  print("bars", [["", "wanted", "measured", ""], ...rows]);
}
