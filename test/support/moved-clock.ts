import type { Clock } from "../../src/lib/clock.ts";

export interface MovedClock extends Clock {
  move(ms: number): void;
}

/** Instants stand still until they are moved; durations are real, so that limits work. */
export function movedClock(start = 1_764_460_800_000): MovedClock {
  let now = start;
  return {
    now: () => now,
    elapsed: () => performance.now(),
    move: (ms) => void (now += ms),
  };
}
