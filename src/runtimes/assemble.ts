import { createAttachments } from "./attach/attachments.ts";
import { createHeldTunnels, type HeldTunnels } from "./attach/held-tunnels.ts";
import { createBeats } from "./attach/send-beat.ts";
import type { ColabDriver } from "./colab/driver.ts";
import { createGate, type Gate } from "./gate.ts";
import { isBilling, type Lease } from "./lease.ts";
import type { LeaseChange } from "./leases/change-lease.ts";
import { type Leases, openLeases } from "./leases/open-leases.ts";
import { leaseDirectory, ownDriver } from "./places.ts";
import type { RuntimesDependencies } from "./runtimes-dependencies.ts";
import type { Attachments } from "./supervision/attachments.ts";
import { createSupervisor, type Supervisor } from "./supervisor.ts";
import { openTunnel } from "./tunnel/open-tunnel.ts";

/** Everything that works together for the runtimes of one state directory. */
export interface RuntimeParts {
  readonly leases: Leases;
  readonly driver: ColabDriver;
  readonly tunnels: HeldTunnels;
  readonly attachments: Attachments;
  readonly supervisor: Supervisor;
  readonly gate: Gate;
  readonly nextBeat: () => number;
  /** The last lease of a runtime that ended in this process; null if none of that name did. */
  readonly ended: (name: string) => Lease | null;
}

export function leasesOf({ state_dir, clock, takeLock }: RuntimesDependencies): Leases {
  return openLeases({ directory: leaseDirectory(state_dir), clock, takeLock });
}

export function assemble(dependencies: RuntimesDependencies): RuntimeParts {
  const { env, clock, pause, commands, tell, settings } = dependencies;
  const { run, start } = commands;
  const path = env["PATH"] ?? "";
  const leases = leasesOf(dependencies);
  const driver = ownDriver({ ...dependencies, settings: settings(), run });
  const moved = (name: string, change: LeaseChange) => void supervisor.change(name, change);
  const tunnels = createHeldTunnels({
    ...dependencies,
    driver,
    run,
    path,
    openTunnel: (request) => openTunnel({ ...dependencies, driver, run, start, path }, request),
    moved,
  });
  const nextBeat = createBeats(clock);
  const attachments = createAttachments({
    ...dependencies,
    driver,
    tunnels,
    nextBeat,
    moved,
    secondsLeft: (name) => supervisor.secondsLeft(name),
  });
  const ended = createEnded();
  const supervisor = createSupervisor({
    ...dependencies,
    leases,
    driver,
    attachments: {
      ...attachments,
      changed(lease) {
        attachments.changed(lease);
        ended.note(lease);
      },
    },
    pause,
    boot_id: dependencies.process.boot_id,
    notify: (text) => tell({ is_urgent: text.startsWith("MAY STILL BE BILLING"), text }),
  });
  const gate = createGate();
  return { leases, driver, tunnels, attachments, supervisor, gate, nextBeat, ended: ended.of };
}

const MAX_ENDED = 50;

/** What became of the last ones, for whoever asks after them. */
function createEnded() {
  const last = new Map<string, Lease>();
  return {
    note(lease: Lease) {
      last.delete(lease.name);
      if (isBilling(lease.phase)) return;
      last.set(lease.name, lease);
      const [oldest] = last.keys();
      if (last.size > MAX_ENDED && oldest !== undefined) last.delete(oldest);
    },
    of: (name: string) => last.get(name) ?? null,
  };
}
