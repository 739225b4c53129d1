import type { Contender } from "../member.ts";
import { ranked } from "./rank.ts";

const FIRST = -1;

/**
 * Fastest first. A target nobody has measured comes before them, so that it is measured, but with one
 * request at a time: while that is under way it waits at the end, the least busy of its kind first.
 */
export function lowestLatency(contenders: readonly Contender[]): readonly Contender[] {
  const slowest = contenders.reduce(
    (most, { signals }) => Math.max(most, signals.latency_ms ?? 0),
    0,
  );
  return ranked(contenders, ({ signals: { latency_ms, in_flight } }) => {
    if (latency_ms !== null) return latency_ms;
    return in_flight === 0 ? FIRST : slowest + in_flight;
  });
}
