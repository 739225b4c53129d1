import { BARE, NGINX, PORTKEYS, ROUTER } from "./contestants.ts";
import type { Added } from "./latency.ts";
import type { ByName, Results } from "./results.ts";
import { DIRECT } from "./throughput.ts";

/** A promise, what was measured for it, and whether it is kept; null where nothing was measured. */
export interface Bar {
  readonly what: string;
  readonly wanted: string;
  readonly measured: string;
  readonly met: boolean | null;
}

interface Promised {
  readonly what: string;
  readonly limit: number;
  readonly unit: string;
  readonly value: number;
}

export function barsOf(results: Results): Bar[] {
  return [
    ...guards(results),
    ...throughputBars(results),
    ...addedBars(results),
    ...footprintBars(results),
  ];
}

/** Whether the upstream and the load generator are fast enough not to be what is measured. */
function guards({ throughput, deltas }: Results): Bar[] {
  const whole = throughput.flatMap(({ connections, bytes, per_second }) => {
    const where = `${connections} connections, ${bytes} bytes`;
    return [
      headroom(per_second, where),
      ...PORTKEYS.map((name) =>
        atLeast({
          what: `guard: upstream ÷ ${name}, ${where}`,
          limit: 10,
          unit: "×",
          value: ratio(per_second, DIRECT, name),
        }),
      ),
    ];
  });
  return deltas === undefined ? whole : [...whole, headroom(deltas, "deltas")];
}

function headroom(rates: ByName<number>, where: string): Bar {
  const gateways = [...rates].filter(([name]) => name !== DIRECT && name !== NGINX);
  const fastest = Math.max(...gateways.map(([, rate]) => rate));
  const value = (rates.get(DIRECT) ?? Number.NaN) / fastest;
  const what = `guard: upstream ÷ fastest gateway but nginx, ${where}`;
  return atLeast({ what, limit: 3, unit: "×", value });
}

function throughputBars({ throughput, deltas }: Results): Bar[] {
  const whole = throughput.flatMap(({ connections, bytes, per_second }) => {
    const where = `requests a second, ${connections} connections, ${bytes} bytes`;
    return [
      atLeast({
        what: `${where}: of bare`,
        limit: 0.6,
        unit: "×",
        value: ratio(per_second, ROUTER, BARE),
      }),
      ...PORTKEYS.map((name) =>
        atLeast({
          what: `${where}: of ${name}`,
          limit: 8,
          unit: "×",
          value: ratio(per_second, ROUTER, name),
        }),
      ),
    ];
  });
  if (deltas === undefined) return whole;
  return [
    ...whole,
    atLeast({
      what: "deltas a second: of bare",
      limit: 0.6,
      unit: "×",
      value: ratio(deltas, ROUTER, BARE),
    }),
  ];
}

function addedBars({ latency, burst, paced, fidelity }: Results): Bar[] {
  const bars: Bar[] = [];
  if (latency !== undefined) {
    const of = (pick: (added: Added) => number) => addedRatio(latency, pick);
    bars.push(
      atMost({
        what: "added to the median: of what bare adds",
        limit: 1.5,
        unit: "×",
        value: of((added) => added.end_p50_ms),
      }),
      atMost({
        what: "added to p99: of what bare adds",
        limit: 2,
        unit: "×",
        value: of((added) => added.end_p99_ms),
      }),
    );
  }
  for (const [name, stream] of Object.entries({ unpaced: burst, paced })) {
    if (stream === undefined) continue;
    const value =
      (stream.get(ROUTER)?.first_p99_ms ?? Number.NaN) -
      (stream.get(BARE)?.first_p99_ms ?? Number.NaN);
    bars.push(
      atMost({
        what: `first content of ${name} streams, p99: beyond bare`,
        limit: 1,
        unit: " ms",
        value,
      }),
    );
  }
  const same = fidelity?.get(ROUTER);
  if (same !== undefined) {
    const met = same.stream === "identical" && same.whole === "identical";
    const measured = met ? "identical" : `stream ${same.stream}, whole ${same.whole}`;
    bars.push({ what: "bytes of answers", wanted: "identical", measured, met });
  }
  return bars;
}

function footprintBars({ start, memory }: Results): Bar[] {
  const own = memory?.get(ROUTER);
  const promised = [
    { what: "exec to ready", limit: 150, unit: " ms", value: start?.get(ROUTER) },
    { what: "memory at rest", limit: 100, unit: " MB", value: own?.idle_mb },
    { what: "memory under load", limit: 180, unit: " MB", value: own?.loaded_mb },
    { what: "memory after the load", limit: 180, unit: " MB", value: own?.after_mb },
  ];
  return promised.flatMap(({ value, ...rest }) =>
    value === undefined ? [] : [atMost({ ...rest, value })],
  );
}

function ratio(numbers: ByName<number>, name: string, other: string): number {
  return (numbers.get(name) ?? Number.NaN) / (numbers.get(other) ?? Number.NaN);
}

function addedRatio(added: ByName<Added>, pick: (added: Added) => number): number {
  const of = (name: string) => {
    const found = added.get(name);
    return found === undefined ? Number.NaN : pick(found);
  };
  return of(ROUTER) / of(BARE);
}

const atLeast = (promised: Promised): Bar => bar(promised, "≥", promised.value >= promised.limit);

const atMost = (promised: Promised): Bar => bar(promised, "≤", promised.value <= promised.limit);

function bar({ what, limit, unit, value }: Promised, sign: string, isMet: boolean): Bar {
  const isKnown = Number.isFinite(value);
  return {
    what,
    wanted: `${sign} ${limit}${unit}`,
    measured: isKnown ? `${value.toFixed(2)}${unit}` : "not measured",
    met: isKnown ? isMet : null,
  };
}
