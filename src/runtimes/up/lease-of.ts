import type { Plan } from "../../sizing/fit.ts";
import type { ModelFacts } from "../../sizing/model-facts.ts";
import type { LeasePlan, LeaseSpec } from "../lease-plan.ts";
import { type Lease, NO_GPU } from "../lease.ts";
import { firstDeadlines } from "../policy/deadlines.ts";
import type { RuntimeSettings } from "../policy/settings.ts";
import type { SteadyTime } from "../policy/steady-time.ts";

/** A lease as it is before its file is made. */
export type NewLease = Omit<Lease, "schema" | "summary">;

export interface LeaseFacts {
  readonly name: string;
  readonly owner: Lease["owner"];
  readonly lease_id: string;
  readonly time: SteadyTime;
  readonly settings: Pick<RuntimeSettings, "max_idle_ms" | "max_life_ms" | "max_compute_units">;
}

/** What every new lease has in common: its deadlines above all. */
function blankLease({ name, owner, lease_id, time, settings }: LeaseFacts) {
  const at = Math.round(time.now);
  return {
    name,
    lease_id,
    backend: "colab",
    created_at: at,
    phase_at: at,
    owner,
    session_name: name,
    was_refused: false,
    local_port: null,
    tunnel_pid: null,
    base_url: null,
    ...firstDeadlines(settings, time, owner.boot_id),
    max_cu: settings.max_compute_units,
    cu_estimate: null,
    watchdog: null,
    liveness_misses: 0,
    release: { attempts: 0, last_at: null, last_error: null, proof: null },
    error: null,
    events: [],
  };
}

export interface Rented {
  readonly facts: ModelFacts;
  readonly plan: Plan;
  readonly notes: readonly string[];
  /** Endpoints of the account before. */
  readonly sessions_before: readonly string[];
  readonly account: Lease["account"];
}

/** The lease of a machine that is about to be rented. */
export function rentalLease(about: LeaseFacts, rented: Rented): NewLease {
  const { facts, plan, notes, sessions_before, account } = rented;
  return {
    ...blankLease(about),
    phase: "starting",
    spec: leaseSpec(facts, plan),
    plan: leasePlan(plan, notes),
    sku: plan.sku,
    cli_gpu: plan.sku,
    account,
    endpoint: null,
    sessions_before: [...sessions_before],
    external: null,
    served_model: facts.repo,
    rate: plan.rate,
    events: [{ at: Math.round(about.time.now), what: "on disk; nothing is rented yet" }],
  };
}

function leaseSpec({ repo, revision, gguf }: ModelFacts, plan: Plan): LeaseSpec {
  const { context: ctx, concurrency } = plan;
  // A repository of one file is not told apart by anybody but us.
  const quant = plan.quant ?? (plan.recipe === "llamacpp" ? (gguf[0]?.variant ?? null) : null);
  return { repo, revision, ctx, quant, concurrency };
}

function leasePlan(plan: Plan, notes: readonly string[]): LeasePlan {
  const { sku, recipe, dtype, gpu_memory_utilization, environment, required_gib, budget_gib } =
    plan;
  const sizes = { required_gib, budget_gib, notes: [...notes] };
  return {
    sku,
    recipe,
    dtype,
    gpu_memory_utilization,
    environment: { ...environment },
    ...sizes,
  };
}

/** The lease of a machine without GPU, rented to prepare something. */
export function bakeLease(
  about: LeaseFacts,
  {
    rate,
    sessions_before,
    account,
  }: Pick<Rented, "sessions_before" | "account"> & Pick<Lease, "rate">,
): NewLease {
  return {
    ...blankLease(about),
    phase: "starting",
    spec: null,
    plan: null,
    sku: NO_GPU,
    cli_gpu: null,
    account,
    endpoint: null,
    sessions_before: [...sessions_before],
    external: null,
    served_model: null,
    rate,
    events: [{ at: Math.round(about.time.now), what: "on disk; nothing is rented yet" }],
  };
}

/** What an hour without GPU costs: only a person can know. */
export function rateWithoutGpu(cu_h: number | null, as_of: string): Lease["rate"] {
  return { cu_h, as_of, source: cu_h === null ? "no source names one" : "`runtimes.rates.CPU`" };
}

export interface Found {
  readonly endpoint: string;
  readonly hardware: string;
  readonly variant: string;
  readonly rate: Lease["rate"];
  readonly account: Lease["account"];
  /** What is to be known of it, beside that nobody knows what it runs; null if nothing is. */
  readonly note: string | null;
}

/** The lease of a machine that runs already: nobody knows what it serves. */
export function adoptionLease(about: LeaseFacts, found: Found): NewLease {
  const { endpoint, hardware, variant, account, rate, note } = found;
  const what = ["taken over; what it runs is not known", note ?? []].flat().join("; ");
  return {
    ...blankLease(about),
    phase: "degraded",
    spec: null,
    plan: null,
    sku: hardware,
    cli_gpu: null,
    account,
    endpoint,
    sessions_before: [],
    external: { hardware, variant },
    served_model: null,
    rate,
    events: [{ at: Math.round(about.time.now), what }],
  };
}
