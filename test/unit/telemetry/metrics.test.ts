import { expect, test } from "bun:test";

import { createMetrics, type MetricsDependencies } from "../../../src/telemetry/metrics.ts";
import { attemptEvent, requestEvent } from "../../support/events.ts";

function createTestMetrics(changes: Partial<MetricsDependencies> = {}) {
  return createMetrics({
    now: () => 1_764_460_800_000,
    version: "1.2.3",
    inFlight: () => 0,
    store: () => ({ queued: 0, dropped: 0, size_bytes: 0, healthy: true }),
    runtimes: () => [],
    sinkFailures: () => ({}),
    ...changes,
  });
}

/** Samples whose name begins with one of `names`, as `name{labels}` → value. */
async function samples(metrics: ReturnType<typeof createTestMetrics>, ...names: string[]) {
  const lines = (await metrics.text()).split("\n").filter((line) => /^[a-z]/.test(line));
  return Object.fromEntries(
    lines
      .filter((line) => names.some((name) => line.startsWith(name)))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
}

test("requests count by dialect, outcome and class of status", async () => {
  const metrics = createTestMetrics();
  metrics.sink.record(requestEvent());
  metrics.sink.record(requestEvent());
  metrics.sink.record(requestEvent({ status: 502, outcome: "failed" }));
  metrics.sink.record(requestEvent({ status: null, outcome: "cancelled", dialect: "embeddings" }));

  expect(await samples(metrics, "veriroute_requests_total")).toEqual({
    'veriroute_requests_total{dialect="chat",outcome="ok",status_class="2xx"}': 2,
    'veriroute_requests_total{dialect="chat",outcome="failed",status_class="5xx"}': 1,
    'veriroute_requests_total{dialect="embeddings",outcome="cancelled",status_class="none"}': 1,
  });
});

test("attempts count by instance and kind, tokens by instance and direction", async () => {
  const metrics = createTestMetrics();
  metrics.sink.record(attemptEvent());
  metrics.sink.record(attemptEvent({ usage: { input_tokens: 5, output_tokens: null } }));
  metrics.sink.record(attemptEvent({ kind: "rate_limit", usage: null }, "groq"));

  expect(await samples(metrics, "veriroute_attempts_total", "veriroute_tokens_total")).toEqual({
    'veriroute_attempts_total{instance="nim",kind="ok"}': 2,
    'veriroute_attempts_total{instance="groq",kind="rate_limit"}': 1,
    'veriroute_tokens_total{instance="nim",direction="input"}': 17,
    'veriroute_tokens_total{instance="nim",direction="output"}': 34,
    'veriroute_tokens_total{instance="groq",direction="input"}': 0,
    'veriroute_tokens_total{instance="groq",direction="output"}': 0,
  });
});

test("durations are in seconds, and what was not measured is not counted", async () => {
  const metrics = createTestMetrics();
  metrics.sink.record(attemptEvent({ duration_ms: 1500, ttft_ms: 300 }));
  metrics.sink.record(attemptEvent({ duration_ms: 500, ttft_ms: null }));
  metrics.sink.record(requestEvent({ duration_ms: 2000 }));
  metrics.sink.record(requestEvent({ duration_ms: null }));

  expect(
    await samples(
      metrics,
      "veriroute_attempt_duration_seconds_sum",
      "veriroute_attempt_duration_seconds_count",
      "veriroute_attempt_first_token_seconds_sum",
      "veriroute_attempt_first_token_seconds_count",
      "veriroute_request_duration_seconds_sum",
      "veriroute_request_duration_seconds_count",
    ),
  ).toEqual({
    'veriroute_attempt_duration_seconds_sum{instance="nim"}': 2,
    'veriroute_attempt_duration_seconds_count{instance="nim"}': 2,
    'veriroute_attempt_first_token_seconds_sum{instance="nim"}': 0.3,
    'veriroute_attempt_first_token_seconds_count{instance="nim"}': 1,
    'veriroute_request_duration_seconds_sum{dialect="chat"}': 2,
    'veriroute_request_duration_seconds_count{dialect="chat"}': 1,
  });
});

test("figures of others are read at every scrape, and counters do not add up twice", async () => {
  let inFlight = 3;
  const metrics = createTestMetrics({
    inFlight: () => inFlight,
    store: () => ({ queued: 7, dropped: 9, size_bytes: 4096, healthy: false }),
    sinkFailures: () => ({ store: 2 }),
  });
  await metrics.text();
  inFlight = 4;

  expect(
    await samples(
      metrics,
      "veriroute_requests_in_flight",
      "veriroute_store_",
      "veriroute_event_sink",
      "veriroute_build",
    ),
  ).toEqual({
    veriroute_requests_in_flight: 4,
    veriroute_store_queued_rows: 7,
    veriroute_store_dropped_rows_total: 9,
    veriroute_store_size_bytes: 4096,
    veriroute_store_healthy: 0,
    'veriroute_event_sink_failures_total{sink="store"}': 2,
    [`veriroute_build_info{version="1.2.3",bun="${Bun.version}"}`]: 1,
  });
});

test("the process is measured in numbers that can be", async () => {
  const process = await samples(createTestMetrics(), "veriroute_process");

  expect(Object.keys(process).toSorted()).toEqual([
    "veriroute_process_cpu_seconds_total",
    "veriroute_process_resident_memory_bytes",
    "veriroute_process_uptime_seconds",
  ]);
  expect(Object.values(process).every((value) => value > 0 && value < 1e12)).toBe(true);
});

test("nothing a client wrote becomes a label", async () => {
  const metrics = createTestMetrics();
  const marker = "marker-4711";
  metrics.sink.record(
    requestEvent({ asked: marker, request_id: marker, served: `nim:${marker}`, pool: marker }),
  );
  metrics.sink.record({ ...attemptEvent({ target: `nim:${marker}` }), request_id: marker });

  expect(await metrics.text()).not.toContain(marker);
});

test("two sets of metrics do not know of each other", async () => {
  const [first, second] = [createTestMetrics(), createTestMetrics()];
  first.sink.record(requestEvent());

  expect(await samples(second, "veriroute_requests_total")).toEqual({});
});

test("every metric has help, and a name that begins with the product's", async () => {
  const text = await createTestMetrics().text();
  const named = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  const helped = [...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name);

  expect(named.filter((name) => !name?.startsWith("veriroute_"))).toEqual([]);
  expect(helped).toEqual(named);
});
