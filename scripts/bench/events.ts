import { createWriteQueue } from "../../src/store/client/write-queue.ts";
import { createStoreSink } from "../../src/store/store-sink.ts";
import type { RoutingEvent, Sink } from "../../src/telemetry/events.ts";
/** What an event costs on the request path, with each sink alone and with all, beside an empty call. */
import { createEventHub } from "../../src/telemetry/hub.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { createRequestLog } from "../../src/telemetry/request-log.ts";
import { createEventRing } from "../../src/telemetry/ring.ts";
import { attemptEvent, requestEvent } from "../../test/support/events.ts";

const EVENTS = 1_000_000;

const queue = createWriteQueue({ rows: 10_000, characters: 64 * 1024 ** 2 });
const sinks: Sink[] = [
  createEventRing(),
  createMetrics({
    now: () => 0,
    version: "bench",
    inFlight: () => 0,
    store: () => ({ queued: 0, dropped: 0, size_bytes: 0, healthy: true }),
    sinkFailures: () => ({}),
  }).sink,
  createRequestLog(createLog({ level: "info", destination: { write: () => undefined } })),
  // Without the worker: its thread is not the one that streams wait for.
  createStoreSink({
    recordDecision: (decision) => queue.addDecision(decision.id, JSON.stringify(decision)),
  }),
];

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
