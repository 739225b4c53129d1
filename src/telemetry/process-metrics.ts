import type { Registry } from "prom-client";

import { pollCounter, pollGauge } from "./polled-metrics.ts";

/** prom-client's own set reports zeros and impossible numbers under Bun; these are the ones that hold. */
export function addProcessMetrics(registry: Registry): void {
  pollCounter(
    registry,
    {
      name: "veriroute_process_cpu_seconds_total",
      help: "CPU time of this process, user and system.",
    },
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
  );
  pollGauge(
    registry,
    {
      name: "veriroute_process_resident_memory_bytes",
      help: "Memory of this process that is in RAM.",
    },
    () => process.memoryUsage.rss(),
  );
  pollGauge(
    registry,
    { name: "veriroute_process_uptime_seconds", help: "Time since this process began." },
    () => process.uptime(),
  );
}
