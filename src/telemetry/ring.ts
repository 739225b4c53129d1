import { createRing, type Ring } from "../lib/ring.ts";
import type { RoutingEvent, Sink } from "./events.ts";

const CAPACITY = 500;

/** The latest events, for looking at what just happened. */
export interface EventRing extends Sink, Pick<Ring<RoutingEvent>, "newest"> {}

export function createEventRing(capacity = CAPACITY): EventRing {
  const { push, newest } = createRing<RoutingEvent>(capacity);
  return { name: "ring", record: push, newest };
}
