/** What an event costs on the request path, with each sink alone and with all, beside an empty call. */
import type { RoutingEvent, Sink } from "../../src/telemetry/events.ts";
import { createEventHub } from "../../src/telemetry/hub.ts";
import { attemptEvent, requestEvent } from "../../test/support/events.ts";
import { createDefaultSinks } from "./micro/default-sinks.ts";

const EVENTS = 1_000_000;

const { sinks, later } = createDefaultSinks();

/** Events between two times at which what was left for later is done. */
const BURST = 100;

interface Cost {
  readonly event_ns: number;
  readonly later_ns: number;
}

/** Per event; half of the events are attempts, half are requests. */
function measure(emit: (event: RoutingEvent) => void): Cost {
  const events = Array.from({ length: BURST }, (_, n) =>
    n % 2 === 0 ? attemptEvent() : requestEvent(),
  );
  let [spent, spentLater] = [0, 0];
  for (let n = 0; n < EVENTS; n += BURST) {
    const began = performance.now();
    events.forEach(emit);
    const emitted = performance.now();
    later();
    spent += emitted - began;
    spentLater += performance.now() - emitted;
  }
  return { event_ns: (spent / EVENTS) * 1e6, later_ns: (spentLater / EVENTS) * 1e6 };
}

function withSinks(chosen: readonly Sink[]): (event: RoutingEvent) => void {
  const hub = createEventHub();
  for (const sink of chosen) hub.register(sink);
  return (event) => hub.emit(event);
}

const nothing = () => undefined;
measure(nothing);
const baseline = measure(nothing).event_ns;
console.log(`${"".padEnd(14)}  an event          later, beside it`);
print("empty call", baseline, 0);
const rows = [
  { name: "no sinks", chosen: [] },
  ...sinks.map((sink) => ({ name: sink.name, chosen: [sink] })),
  { name: "all", chosen: sinks },
];
for (const { name, chosen } of rows) {
  const { event_ns, later_ns } = measure(withSinks(chosen));
  print(name, event_ns, later_ns);
}
console.log(
  `RSS after ${EVENTS} events per row: ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
);

function print(name: string, event_ns: number, later_ns: number): void {
  const ratio = (event_ns / baseline).toFixed(1).padStart(6);
  const [event, beside] = [event_ns, later_ns].map((ns) => `${ns.toFixed(0).padStart(6)} ns`);
  console.log(`${name.padEnd(14)} ${event} ${ratio}× ${beside}`);
}
