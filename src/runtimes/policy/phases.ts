import type { Lease, Phase } from "../lease.ts";

/**
 * Where each phase may lead. Every way off the bill leads through `stopping`, which is on disk before
 * the first attempt to release; nothing leads back from it.
 */
const NEXT: Readonly<Record<Phase, readonly Phase[]>> = {
  planned: ["starting", "failed"],
  starting: ["ready", "degraded", "stopping", "detached"],
  ready: ["degraded", "stopping", "detached"],
  degraded: ["ready", "stopping", "detached"],
  detached: ["ready", "degraded", "stopping"],
  stopping: ["stopped", "failed"],
  stopped: [],
  failed: [],
};

export function mayMove(from: Phase, to: Phase): boolean {
  return from === to || NEXT[from].includes(to);
}

/** Why a lease may not become `to`; null if it may. Off the bill is only what is proven to be. */
export function moveProblem(
  { name, phase, release }: Pick<Lease, "name" | "phase" | "release">,
  to: Phase,
): string | null {
  if (!mayMove(phase, to)) return `\`${name}\` is ${phase} and cannot become ${to}`;
  const claimsRelease = to === "stopped" || to === "failed";
  if (!claimsRelease || phase === "planned" || release.proof !== null) return null;
  return `\`${name}\` cannot become ${to}: nothing proves that it was released`;
}
