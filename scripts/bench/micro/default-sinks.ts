import { createDegradedWatch } from "../../../src/control/degraded-watch.ts";
import { createVerificationSink } from "../../../src/control/verification-sink.ts";
import { createWriteQueue } from "../../../src/store/client/write-queue.ts";
import { createStoreSink } from "../../../src/store/store-sink.ts";
import type { Sink } from "../../../src/telemetry/events.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { createRequestLog } from "../../../src/telemetry/request-log.ts";
import { createEventRing } from "../../../src/telemetry/ring.ts";

/** As many rows as leave for the store's worker at once. */
const BATCH_ROWS = 200;

/**
 * What `serve` registers, with nothing behind it: lines of the log go nowhere, and batches for the store are
 * copied as for its worker, whose own thread is not the one that streams wait for.
 */
export function createDefaultSinks(): readonly Sink[] {
  const queue = createWriteQueue({ rows: 10_000, characters: 64 * 1024 ** 2 });
  const handOver = () => {
    if (queue.size() >= BATCH_ROWS) structuredClone(queue.take(BATCH_ROWS));
  };
  return [
    createEventRing(),
    createMetrics({
      now: () => 0,
      version: "bench",
      inFlight: () => 0,
      store: () => ({ queued: 0, dropped: 0, size_bytes: 0, healthy: true }),
      runtimes: () => [],
      sinkFailures: () => ({}),
    }).sink,
    createStoreSink({
      recordDecision(decision) {
        queue.addDecision(decision.id, JSON.stringify(decision));
        handOver();
      },
    }),
    createVerificationSink({
      recordVerification(row) {
        queue.addVerification(row);
        handOver();
      },
    }),
    createRequestLog(createLog({ level: "info", destination: { write: () => undefined } })),
    createDegradedWatch({ clock: { now: () => 0 }, notify: () => undefined }),
  ];
}
