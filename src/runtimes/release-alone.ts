import type { Clock } from "../lib/clock.ts";
import type { Log } from "../telemetry/log.ts";
import type { ColabDriver } from "./colab/driver.ts";
import type { RunCommand } from "./command.ts";
import { isBilling, type Lease } from "./lease.ts";
import type { Leases } from "./leases/open-leases.ts";
import type { Pause } from "./pause.ts";
import { releaseDelay } from "./policy/release.ts";
import { TICK_MS } from "./policy/tick.ts";
import type { ReleaseOutcome } from "./release-runtime.ts";
import { newKept } from "./supervision/kept.ts";
import { createSteps } from "./supervision/steps.ts";
import type { SupervisorDependencies } from "./supervisor.ts";
import { endLeftoverSsh } from "./tunnel/leftover.ts";

export interface ReleaseAloneDependencies {
  readonly leases: Leases;
  readonly driver: SupervisorDependencies["driver"] & Pick<ColabDriver, "directory">;
  readonly run: RunCommand;
  readonly clock: Clock;
  readonly pause: Pause;
  readonly log: Pick<Log, "info" | "error">;
  /** Where programs are looked for. */
  readonly path: string;
  /** Told after an attempt that brought no proof, and how long the wait is. */
  readonly onAttempt: (notice: string, wait_ms: number) => void;
}

export interface AloneRequest {
  readonly lease: Lease;
  readonly lock: { release(): void };
}

const ATTEMPTS = 5;

/** Releases a runtime that no process answers for; the lock is given back in any case. */
export async function releaseAlone(
  dependencies: ReleaseAloneDependencies,
  { lease, lock }: AloneRequest,
): Promise<ReleaseOutcome> {
  const { driver, run, path, clock, pause } = dependencies;
  const steps = createSteps({
    ...dependencies,
    attachments: {
      open: async () => null,
      probe: async () => false,
      beat: async () => ({ kind: "unknown", why: "nobody watches it from here" }),
      changed: () => undefined,
      async close(name) {
        const directory = driver.directory(name);
        if (lease.tunnel_pid === null) return;
        await endLeftoverSsh(run, { pid: lease.tunnel_pid, directory, path });
      },
    },
    drop: () => undefined,
  });
  const kept = newKept(lease, lock, { since_elapsed: clock.elapsed(), pending: false });
  try {
    const isClaim = lease.phase === "stopped" && lease.release.proof === null;
    if (!isBilling(lease.phase) && !isClaim) return await steps.putAway(kept);
    for (let attempt = 1; ; attempt++) {
      const outcome = await steps.release(kept, "somebody asked for it");
      if (outcome.kind === "released" || attempt === ATTEMPTS) return outcome;
      const wait_ms = releaseDelay(attempt, TICK_MS);
      dependencies.onAttempt(outcome.notice, wait_ms);
      await pause(wait_ms);
    }
  } finally {
    lock.release();
  }
}
