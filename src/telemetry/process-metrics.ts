import { Counter, Gauge, type Registry } from "prom-client";

/** prom-client's own set reports zeros and impossible numbers under Bun; these are the ones that hold. */
export function addProcessMetrics(registry: Registry): void {
  new Counter({
    name: "veriroute_process_cpu_seconds_total",
    help: "CPU time of this process, user and system.",
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
  new Gauge({
    name: "veriroute_process_resident_memory_bytes",
    help: "Memory of this process that is in RAM.",
    registers: [registry],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "veriroute_process_uptime_seconds",
    help: "Time since this process began.",
    registers: [registry],
    collect() {
      this.set(process.uptime());
    },
  });
}
