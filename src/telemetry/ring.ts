import type { RoutingEvent, Sink } from "./events.ts";

const CAPACITY = 500;

/** The latest events, for looking at what just happened. */
export interface EventRing extends Sink {
  /** Up to `limit` events, newest first. */
  newest(limit: number): RoutingEvent[];
}

export function createEventRing(capacity = CAPACITY): EventRing {
  const events: RoutingEvent[] = [];
  /** Where the next event goes; once full, also where the oldest is. */
  let next = 0;
  return {
    name: "ring",
    record(event) {
      events[next] = event;
      next = (next + 1) % capacity;
    },
    newest: (limit) =>
      [...events.slice(next), ...events.slice(0, next)].toReversed().slice(0, limit),
  };
}
