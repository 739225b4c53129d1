import { Counter, Gauge, type Registry } from "prom-client";

/** What the canary counts, asked at every scrape. */
export interface CanaryCounts {
  readonly rounds: number;
  /** Epoch ms. */
  readonly last_round_at: number | null;
  readonly probes: readonly {
    readonly instance: string;
    readonly contract: string;
    readonly result: string;
    readonly count: number;
  }[];
  readonly spent: readonly { readonly instance: string; readonly usd: number }[];
  readonly suspended: readonly { readonly instance: string; readonly count: number }[];
}

/** Metrics of the canary; without a sample while it is off. */
export function addCanaryMetrics(registry: Registry, read: () => CanaryCounts | null): void {
  void new Counter({
    name: "veriroute_canary_rounds_total",
    help: "Rounds of the canary that ended.",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read()?.rounds ?? 0);
    },
  });
  void new Counter({
    name: "veriroute_canary_probes_total",
    help: "Probes that were judged, confirmations included.",
    labelNames: ["instance", "contract", "result"],
    registers: [registry],
    collect() {
      this.reset();
      for (const { count, ...labels } of read()?.probes ?? []) this.inc(labels, count);
    },
  });
  void new Gauge({
    name: "veriroute_canary_last_round_timestamp_seconds",
    help: "When the last round ended.",
    registers: [registry],
    collect() {
      this.set((read()?.last_round_at ?? 0) / 1000);
    },
  });
  perInstance(registry, {
    name: "veriroute_canary_spent_usd",
    help: "What probes have cost today, UTC, those under way at their most.",
    read: () => read()?.spent.map(({ instance, usd }) => [instance, usd]) ?? [],
  });
  perInstance(registry, {
    name: "veriroute_canary_suspended_endpoints",
    help: "Endpoints that are suspended.",
    read: () => read()?.suspended.map(({ instance, count }) => [instance, count]) ?? [],
  });
}

interface PerInstance {
  readonly name: string;
  readonly help: string;
  readonly read: () => readonly (readonly [instance: string, value: number])[];
}

function perInstance(registry: Registry, { name, help, read }: PerInstance): void {
  void new Gauge({
    name,
    help,
    labelNames: ["instance"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [instance, value] of read()) this.set({ instance }, value);
    },
  });
}
