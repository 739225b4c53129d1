import { Counter, Gauge, Registry } from "prom-client";

import type { HealthNotice } from "../health/notices.ts";
import type { Attempt, Decision } from "../routing/decision.ts";
import { addCanaryMetrics, type CanaryCounts } from "./canary-metrics.ts";
import { createCells, createDurations, type Durations } from "./counts.ts";
import type { RoutingEvent, Sink } from "./events.ts";
import { pollCounter, pollGauge } from "./polled-metrics.ts";
import { addProcessMetrics } from "./process-metrics.ts";
import { type HourCount, verdictMetrics } from "./verdict-metrics.ts";

export interface MetricsDependencies {
  readonly version: string;
  /** Epoch ms. */
  readonly now: () => number;
  /** Asked at every scrape. */
  readonly inFlight: () => number;
  readonly store: () => StoreFigures;
  readonly runtimes: () => readonly RuntimeFigures[];
  /** Null while it is off, left out where there is none. */
  readonly canary?: () => CanaryCounts | null;
  readonly sinkFailures: () => Readonly<Record<string, number>>;
}

export interface StoreFigures {
  readonly queued: number;
  readonly dropped: number;
  readonly size_bytes: number;
  readonly healthy: boolean;
}

/** A rented GPU that may cost money. */
export interface RuntimeFigures {
  readonly name: string;
  readonly phase: string;
  /** Compute units so far, by the clock; null where nobody knows the rate. */
  readonly compute_units: number | null;
}

export interface Metrics {
  readonly sink: Sink;
  /** Counts what happens to the fleet's health. */
  readonly noticed: (notice: HealthNotice) => void;
  /** Mangled answers of earlier hours, as the store has them. */
  readonly recall: (counts: readonly HourCount[]) => void;
  readonly content_type: string;
  /** The Prometheus text of now. */
  text(): Promise<string>;
}

/** From a cached answer to the longest a request may take by default. */
const DURATION_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600];
const FIRST_TOKEN_BUCKETS = [0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 3, 6, 12, 30, 60, 120, 180];

/**
 * Counts events in a registry of its own. Label values are names from the config and words from our
 * own lists, never text of a client, so that their number is bounded.
 */
export function createMetrics(dependencies: MetricsDependencies): Metrics {
  const registry = new Registry();
  const requests = requestMetrics(registry);
  const attempts = attemptMetrics(registry);
  const verdicts = verdictMetrics(registry, dependencies.now);
  addRouterMetrics(registry, dependencies);
  addCanaryMetrics(registry, dependencies.canary ?? (() => null));
  addProcessMetrics(registry);
  const record = (event: RoutingEvent) => {
    if (event.kind === "request") {
      requests.count(event.decision);
      verdicts.request(event.decision);
      return;
    }
    attempts.count(event.instance, event.attempt);
    verdicts.attempt(event);
  };
  return {
    sink: { name: "metrics", record },
    noticed: verdicts.notice,
    recall: verdicts.recall,
    content_type: registry.contentType,
    async text() {
      const durations = [...requests.durations, ...attempts.durations];
      return [await registry.metrics(), ...durations.map((one) => `${one.text()}\n`)].join("\n");
    },
  };
}

interface Observed<Subject extends readonly unknown[]> {
  readonly count: (...subject: Subject) => void;
  readonly durations: readonly Durations[];
}

function requestMetrics(registry: Registry): Observed<[Decision]> {
  const total = createCells(registry, {
    name: "veriroute_requests_total",
    help: "Finished client requests.",
    labels: ["dialect", "outcome", "status_class"],
  });
  const duration = createDurations({
    name: "veriroute_request_duration_seconds",
    help: "From the request read to the last byte of its answer.",
    label: "dialect",
    buckets: DURATION_BUCKETS,
  });
  return {
    count({ dialect, outcome, status, duration_ms }) {
      total(dialect, outcome, statusClass(status)).value += 1;
      if (duration_ms !== null) duration.observe(dialect, duration_ms / 1000);
    },
    durations: [duration],
  };
}

// Made beforehand: a text of its own for every request would have to be hashed again.
const STATUS_CLASSES = ["0xx", "1xx", "2xx", "3xx", "4xx", "5xx"] as const;

/** `2xx` and so on; `none` where the client got no answer. */
function statusClass(status: number | null): string {
  if (status === null) return "none";
  const first = Math.floor(status / 100);
  return STATUS_CLASSES[first] ?? `${first}xx`;
}

function attemptMetrics(registry: Registry): Observed<[instance: string, attempt: Attempt]> {
  const total = createCells(registry, {
    name: "veriroute_attempts_total",
    help: "Upstream calls by how they ended: `ok` or a failure kind.",
    labels: ["instance", "kind"],
  });
  const duration = createDurations({
    name: "veriroute_attempt_duration_seconds",
    help: "From the start of an upstream call to its end.",
    label: "instance",
    buckets: DURATION_BUCKETS,
  });
  const firstToken = createDurations({
    name: "veriroute_attempt_first_token_seconds",
    help: "From the start of an upstream call to its first content.",
    label: "instance",
    buckets: FIRST_TOKEN_BUCKETS,
  });
  const tokens = createCells(registry, {
    name: "veriroute_tokens_total",
    help: "Tokens as the upstream counted them.",
    labels: ["instance", "direction"],
  });
  return {
    count(instance, { kind, duration_ms, ttft_ms, usage }) {
      total(instance, kind).value += 1;
      duration.observe(instance, duration_ms / 1000);
      if (ttft_ms !== null) firstToken.observe(instance, ttft_ms / 1000);
      tokens(instance, "input").value += usage?.input_tokens ?? 0;
      tokens(instance, "output").value += usage?.output_tokens ?? 0;
    },
    durations: [duration, firstToken],
  };
}

function addRouterMetrics(registry: Registry, dependencies: MetricsDependencies): void {
  const { version, inFlight, store, runtimes, sinkFailures } = dependencies;
  const gauge = (name: string, help: string, read: () => number) =>
    pollGauge(registry, { name, help }, read);
  gauge("veriroute_requests_in_flight", "Client requests open now.", inFlight);
  gauge("veriroute_store_queued_rows", "Rows on their way to the database.", () => store().queued);
  gauge("veriroute_store_size_bytes", "Size of the database file.", () => store().size_bytes);
  gauge("veriroute_store_healthy", "0 while the store is degraded.", () => Number(store().healthy));
  pollCounter(
    registry,
    {
      name: "veriroute_store_dropped_rows_total",
      help: "Rows that never reached the database.",
    },
    () => store().dropped,
  );
  pollSinkFailures(registry, sinkFailures);
  pollRuntimes(registry, runtimes);
  const build = new Gauge({
    name: "veriroute_build_info",
    help: "Always 1; the labels say what runs.",
    labelNames: ["version", "bun"],
    registers: [registry],
  });
  build.set({ version, bun: Bun.version }, 1);
}

function pollSinkFailures(
  registry: Registry,
  read: MetricsDependencies["sinkFailures"],
): Counter<"sink"> {
  return new Counter({
    name: "veriroute_event_sink_failures_total",
    help: "Events that a sink failed to record.",
    labelNames: ["sink"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [sink, count] of Object.entries(read())) this.inc({ sink }, count);
    },
  });
}

function pollRuntimes(registry: Registry, read: MetricsDependencies["runtimes"]): Gauge[] {
  const billing = new Gauge({
    name: "veriroute_runtimes_billing",
    help: "Always 1 for a rented GPU that may cost money now.",
    labelNames: ["instance", "phase"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, phase } of read()) this.set({ instance: name, phase }, 1);
    },
  });
  const used = new Gauge({
    name: "veriroute_runtime_compute_units",
    help: "Compute units that a rented GPU has used so far, by the clock and its rate.",
    labelNames: ["instance"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, compute_units } of read()) {
        if (compute_units !== null) this.set({ instance: name }, compute_units);
      }
    },
  });
  return [billing, used];
}
