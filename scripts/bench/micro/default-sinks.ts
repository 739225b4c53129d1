import { createDegradedWatch } from "../../../src/control/degraded-watch.ts";
import { createVerificationSink } from "../../../src/control/verification-sink.ts";
import type { Decision } from "../../../src/routing/decision.ts";
import { createWaitingCalls } from "../../../src/store/client/calls.ts";
import { createOutbox } from "../../../src/store/client/outbox.ts";
import { createWriteQueue } from "../../../src/store/client/write-queue.ts";
import { createStoreSink } from "../../../src/store/store-sink.ts";
import type { StoredVerification } from "../../../src/store/store.ts";
import type { Sink } from "../../../src/telemetry/events.ts";
import { createLogLines } from "../../../src/telemetry/log-lines.ts";
import { createLog } from "../../../src/telemetry/log.ts";
import { createMetrics } from "../../../src/telemetry/metrics.ts";
import { createRequestLog } from "../../../src/telemetry/request-log.ts";
import { createEventRing } from "../../../src/telemetry/ring.ts";

export interface DefaultSinks {
  readonly sinks: readonly Sink[];
  /** What timers do some milliseconds later: makes the lines and rows of the events so far and hands them over. */
  readonly later: () => void;
}

/** What `serve` registers, with nothing behind it: lines end as bytes, batches for the store's worker as copies. */
export function createDefaultSinks(): DefaultSinks {
  const lines = createLogLines();
  const destination = {
    write: (line: string) => lines.add(line),
    writeLater: (make: () => string) => lines.addLater(make),
    flush: async () => undefined,
  };
  const store = createStoreFront();
  return {
    sinks: [
      createEventRing(),
      createMetrics({
        now: () => 0,
        version: "bench",
        inFlight: () => 0,
        store: () => ({ queued: 0, dropped: 0, size_bytes: 0, healthy: true }),
        runtimes: () => [],
        sinkFailures: () => ({}),
      }).sink,
      createStoreSink(store),
      createVerificationSink(store),
      createRequestLog(createLog({ level: "info", destination })),
      createDegradedWatch({ clock: { now: () => 0 }, notify: () => undefined }),
    ],
    later() {
      Buffer.from(lines.take());
      lines.taken();
      store.handOver();
    },
  };
}

function createStoreFront() {
  const queue = createWriteQueue({ rows: 10_000, characters: 64 * 1024 ** 2 });
  const outbox = createOutbox({ queue, calls: createWaitingCalls(), post: structuredClone });
  return {
    recordDecision(decision: Decision, state?: "final") {
      const json = () => JSON.stringify(decision);
      queue.addDecision(decision.id, state === "final" ? json : json());
      outbox.rowAdded();
    },
    recordVerification(row: StoredVerification) {
      queue.addVerification(row);
      outbox.rowAdded();
    },
    handOver() {
      outbox.callAdded();
      outbox.batchWritten();
    },
  };
}
