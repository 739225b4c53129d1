import type { Lease } from "../../src/runtimes/lease.ts";
import type { ListedSession, Listing } from "../../src/runtimes/listing.ts";

/** When the lease of a test was created: 2029-12-31T20:00:00Z. */
export const CREATED = Date.UTC(2029, 11, 31, 20);

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const BOOT = "boot-1";

/** Milliseconds since boot when it was created. */
export const BOOTTIME = 500_000;

/** A runtime that is ready, on a T4, for 45 idle minutes and 4 hours in all. */
export function someLease(changes: Partial<Lease> = {}): Lease {
  return {
    schema: 1,
    summary: "",
    name: "qwen",
    lease_id: "lease-1",
    backend: "colab",
    phase: "ready",
    created_at: CREATED,
    phase_at: CREATED,
    owner: { pid: 42, boot_id: BOOT, started_at: CREATED, host: "home", version: "1.0.0" },
    spec: {
      repo: "Qwen/Qwen2.5-1.5B-Instruct",
      revision: null,
      ctx: 8192,
      quant: null,
      concurrency: null,
    },
    plan: null,
    sku: "T4",
    cli_gpu: "T4",
    session_name: "veriroute-qwen",
    account: null,
    endpoint: "gpu-t4-1",
    sessions_before: ["gpu-old"],
    was_refused: false,
    external: { hardware: "T4", variant: "GPU" },
    local_port: 18_000,
    tunnel_pid: null,
    base_url: "http://127.0.0.1:18000/v1",
    served_model: "qwen",
    idle_minutes: 45,
    idle_deadline: CREATED + 45 * MINUTE,
    hard_deadline: CREATED + 4 * HOUR,
    hard_remaining_ms_at: { boot_id: BOOT, boottime_ms: BOOTTIME, remaining_ms: 4 * HOUR },
    last_activity_at: CREATED,
    max_cu: null,
    rate: { cu_h: 1.19, as_of: "2026-03-10", source: "a test" },
    cu_estimate: null,
    watchdog: {
      installed_at: CREATED,
      ttl_s: 1800,
      heartbeat_s: 300,
      seen_at: CREATED,
    },
    liveness_misses: 0,
    release: { attempts: 0, last_at: null, last_error: null, proof: null },
    error: null,
    events: [],
    ...changes,
  };
}

export const PROOF = {
  kind: "absent",
  first_listing_at: CREATED,
  second_listing_at: CREATED + 30_000,
  endpoint: "gpu-t4-1",
} as const;

export function session(endpoint: string, more: Partial<ListedSession> = {}): ListedSession {
  return { name: null, endpoint, hardware: "T4", variant: "GPU", ...more };
}

/** A listing `at` seconds after the start of the process. */
export function listing(at: number, ...sessions: readonly ListedSession[]): Listing {
  return { kind: "clean", at: { now: CREATED + at * 1000, elapsed: at * 1000 }, sessions };
}

export function doubtful(at: number, ...sessions: readonly ListedSession[]): Listing {
  return { ...listing(at, ...sessions), kind: "doubtful", reason: "stderr was not empty" };
}

/** What sizing decides of that model on a T4. */
export const T4_PLAN: NonNullable<Lease["plan"]> = {
  sku: "T4",
  recipe: "vllm",
  dtype: "half",
  gpu_memory_utilization: 0.9,
  environment: {},
  required_gib: 6,
  budget_gib: 11.5,
  notes: [],
};
