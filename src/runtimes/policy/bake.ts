import { type RuntimeSettings, settingsObstacle } from "./settings.ts";

/** Why no machine is rented to prepare something, with the fix; null if one may be. */
export function bakeObstacle(settings: RuntimeSettings, confirmed: boolean): string | null {
  const off = settingsObstacle(settings);
  if (off !== null) return off;
  if (settings.max_compute_units !== null && settings.cpu_rate === null) {
    return "nobody knows what a machine without GPU costs, so `runtimes.max_compute_units` cannot be kept; set `runtimes.rates.CPU`";
  }
  return confirmed ? null : "renting costs money; add `--yes` to go ahead";
}
