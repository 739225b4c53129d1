/** What an event costs on the request path, with each sink alone and with all, beside an empty call. */
import type { RoutingEvent, Sink } from "../../src/telemetry/events.ts";
import { createEventHub } from "../../src/telemetry/hub.ts";
import { attemptEvent, requestEvent } from "../../test/support/events.ts";
import { createDefaultSinks } from "./micro/default-sinks.ts";

const EVENTS = 1_000_000;

const sinks: readonly Sink[] = createDefaultSinks();

/** Nanoseconds per event; half of the events are attempts, half are requests. */
function measure(emit: (event: RoutingEvent) => void): number {
  const events = [attemptEvent(), requestEvent()] as const;
  const started = performance.now();
  for (let n = 0; n < EVENTS / 2; n++) {
    emit(events[0]);
    emit({ ...events[1], at: n });
  }
  return ((performance.now() - started) / EVENTS) * 1e6;
}

function withSinks(chosen: readonly Sink[]): (event: RoutingEvent) => void {
  const hub = createEventHub();
  for (const sink of chosen) hub.register(sink);
  return (event) => hub.emit(event);
}

const nothing = () => undefined;
measure(nothing);
const baseline = measure(nothing);
console.log(`${"empty call".padEnd(12)} ${baseline.toFixed(0).padStart(6)} ns      1×`);
const rows = [
  { name: "no sinks", chosen: [] },
  ...sinks.map((sink) => ({ name: sink.name, chosen: [sink] })),
  { name: "all", chosen: sinks },
];
for (const { name, chosen } of rows) {
  const cost = measure(withSinks(chosen));
  const ratio = (cost / baseline).toFixed(1).padStart(6);
  console.log(`${name.padEnd(12)} ${cost.toFixed(0).padStart(6)} ns ${ratio}×`);
}
console.log(
  `RSS after ${EVENTS} events per row: ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
);
