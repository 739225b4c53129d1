import type { ProbeCount } from "../canary-status.ts";

/** What was asked since the process started. */
export function createProbeCounts() {
  const probes = new Map<string, ProbeCount>();
  let rounds = 0;
  return {
    round: (): void => void rounds++,
    probe(about: Omit<ProbeCount, "count">): void {
      const key = `${about.instance} ${about.contract} ${about.result}`;
      probes.set(key, { ...about, count: (probes.get(key)?.count ?? 0) + 1 });
    },
    figures: () => ({ rounds, probes: [...probes.values()] }),
  };
}
