import type { Lease, Phase } from "../lease.ts";

/** Probes in a row without an answer that make a runtime degraded. They never release it. */
const MISSES_TO_DEGRADE = 3;

export interface LivenessChange {
  readonly liveness_misses: number;
  readonly phase: Phase;
}

/** What a probe through the tunnel means for a runtime that was ready or degraded; null for any other. */
export function afterProbe(
  { phase, liveness_misses }: Pick<Lease, "phase" | "liveness_misses">,
  answered: boolean,
): LivenessChange | null {
  if (phase !== "ready" && phase !== "degraded") return null;
  if (answered) return { liveness_misses: 0, phase: "ready" };
  const misses = liveness_misses + 1;
  return { liveness_misses: misses, phase: misses >= MISSES_TO_DEGRADE ? "degraded" : phase };
}

/** Whether there is anything to probe: an adopted runtime has no server that we know of. */
export function isProbed({ phase, base_url }: Pick<Lease, "phase" | "base_url">): boolean {
  return base_url !== null && (phase === "ready" || phase === "degraded");
}
