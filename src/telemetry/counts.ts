/**
 * Figures of the request path. prom-client hashes all labels of a sample each time it is counted, which takes ten
 * times as long as counting; these are plain numbers that become its samples, or its text, when somebody looks.
 */
import { Counter, type Registry } from "prom-client";

interface Naming {
  readonly name: string;
  readonly help: string;
}

/** One sample: whoever holds it counts. */
export interface Cell {
  value: number;
}

/** The cell of two or three label values; a new one counts from 0 and is shown from then on. */
export type Cells = (first: string, second: string, third?: string) => Cell;

/** A counter with as many labels as are given to it later: two, or three. */
export function createCells(
  registry: Registry,
  { labels: names, ...naming }: Naming & { readonly labels: readonly string[] },
): Cells {
  const samples: { readonly labels: Record<string, string>; readonly cell: Cell }[] = [];
  const tree = new Map<string, Map<string, Map<string, Cell>>>();
  void new Counter({
    ...naming,
    labelNames: [...names],
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, cell } of samples) this.inc(labels, cell.value);
    },
  });
  const grow = (values: readonly [first: string, second: string, third: string]): Cell => {
    const [first, second, third] = values;
    const seconds = tree.get(first) ?? new Map<string, Map<string, Cell>>();
    const thirds = seconds.get(second) ?? new Map<string, Cell>();
    const cell = { value: 0 };
    tree.set(first, seconds.set(second, thirds.set(third, cell)));
    samples.push({
      labels: Object.fromEntries(names.map((name, n) => [name, values[n] ?? ""])),
      cell,
    });
    return cell;
  };
  return (first, second, third = "") =>
    tree.get(first)?.get(second)?.get(third) ?? grow([first, second, third]);
}

/** Durations in buckets, by one label. */
export interface Durations {
  observe(label: string, seconds: number): void;
  /** As Prometheus reads it, without a blank line around it. */
  text(): string;
}

interface Series {
  /** By bucket, each for itself; the last is for what is above all bounds. */
  readonly counts: number[];
  sum: number;
}

export function createDurations({
  name,
  help,
  label,
  buckets,
}: Naming & { readonly label: string; readonly buckets: readonly number[] }): Durations {
  const all = new Map<string, Series>();
  const begin = (value: string): Series => {
    const series = { counts: [...buckets, Infinity].map(() => 0), sum: 0 };
    all.set(value, series);
    return series;
  };
  return {
    observe(value, seconds) {
      const series = all.get(value) ?? begin(value);
      let bucket = 0;
      while (seconds > (buckets[bucket] ?? Infinity)) bucket += 1;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sum += seconds;
    },
    text() {
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
      for (const [value, { counts, sum }] of all) {
        const labels = `${label}="${escape(value)}"`;
        let total = 0;
        for (const [n, count] of counts.entries()) {
          total += count;
          lines.push(`${name}_bucket{le="${buckets[n] ?? "+Inf"}",${labels}} ${total}`);
        }
        lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`);
      }
      return lines.join("\n");
    },
  };
}

const escape = (value: string): string =>
  value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
