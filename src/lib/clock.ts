/** Time as the router sees it. Tests pass a clock they move by hand. */
export interface Clock {
  /** Milliseconds since the Unix epoch: for instants that are stored or shown. */
  now(): number;
  /** Milliseconds from an arbitrary start that never jump: for durations. */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => Date.now(), elapsed: () => performance.now() };
