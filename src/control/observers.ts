import type { Clock } from "../lib/clock.ts";
import type { Relay } from "../relay/client-request.ts";
import { createStoreSink } from "../store/store-sink.ts";
import type { Store } from "../store/store.ts";
import type { CanaryCounts } from "../telemetry/canary-metrics.ts";
import type { EventHub } from "../telemetry/events.ts";
import type { Log } from "../telemetry/log.ts";
import { createMetrics, type Metrics, type RuntimeFigures } from "../telemetry/metrics.ts";
import { createRequestLog } from "../telemetry/request-log.ts";
import { createEventRing, type EventRing } from "../telemetry/ring.ts";
import { createDegradedWatch } from "./degraded-watch.ts";
import type { Notifications } from "./notifications.ts";
import type { Remembered } from "./remembered.ts";
import { createVerificationSink } from "./verification-sink.ts";

interface ObserverDependencies extends Pick<Remembered, "mangled"> {
  readonly version: string;
  readonly clock: Clock;
  readonly events: EventHub;
  readonly relay: Pick<Relay, "inFlight">;
  readonly runtimes: () => readonly RuntimeFigures[];
  readonly canary: () => CanaryCounts | null;
  readonly store: Store;
  readonly log: Log;
  readonly notifications: Pick<Notifications, "notify" | "listen">;
}

/** Registers everything that hears of events and notices; returns those that the API shows. */
export function observe(dependencies: ObserverDependencies): {
  readonly events: EventRing;
  readonly metrics: Metrics;
} {
  const { version, clock, events, relay, store, log, notifications, mangled } = dependencies;
  const { runtimes, canary } = dependencies;
  const ring = createEventRing();
  const metrics = createMetrics({
    version,
    now: () => clock.now(),
    inFlight: () => relay.inFlight(),
    store: () => store.stats(),
    runtimes,
    canary,
    sinkFailures: () => events.failures(),
  });
  metrics.recall(mangled);
  notifications.listen(metrics.noticed);
  const sinks = [
    ring,
    metrics.sink,
    createStoreSink(store),
    createVerificationSink(store),
    createRequestLog(log),
    createDegradedWatch({ clock, notify: notifications.notify }),
  ];
  for (const sink of sinks) events.register(sink);
  return { events: ring, metrics };
}
