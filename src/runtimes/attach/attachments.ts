import type { Routing } from "../../config/schema.ts";
import type { Clock } from "../../lib/clock.ts";
import type { InstanceRegistry } from "../../upstream/instance.ts";
import { createMachineCalls } from "../bootstrap/machine.ts";
import type { ColabDriver } from "../colab/driver.ts";
import type { Lease } from "../lease.ts";
import type { LeaseChange } from "../leases/change-lease.ts";
import type { Attachments } from "../supervision/attachments.ts";
import { baseUrl, type HeldTunnels, type TunnelPlace } from "./held-tunnels.ts";
import { runtimeInstance } from "./runtime-instance.ts";

export interface AttachmentsDependencies {
  readonly driver: Pick<ColabDriver, "execute" | "upload" | "download">;
  readonly tunnels: HeldTunnels;
  readonly registry: Pick<InstanceRegistry, "add" | "remove">;
  readonly routing: () => Routing;
  readonly newId: () => string;
  readonly nextBeat: () => number;
  readonly secondsLeft: (name: string) => number;
  /** A tunnel came back at another place. */
  readonly moved: (name: string, change: LeaseChange) => void;
}

/** Tunnels and instances of the runtimes that this process answers for. */
export function createAttachments(dependencies: AttachmentsDependencies): Attachments {
  const { tunnels, registry, moved } = dependencies;

  function show(lease: Lease, { local_port, key }: TunnelPlace): void {
    const place = { base_url: baseUrl(local_port), key, routing: dependencies.routing() };
    const instance = runtimeInstance({ lease, ...place });
    if (instance !== null) registry.add(instance);
  }

  async function open(lease: Lease): Promise<LeaseChange | null> {
    if (lease.served_model === null) return null;
    const opened = await tunnels.open(lease);
    if (opened === null) return null;
    const { local_port, pid } = opened;
    show({ ...lease, phase: "ready" }, opened);
    return { local_port, tunnel_pid: pid, base_url: baseUrl(local_port) };
  }

  return {
    open,
    async probe(lease) {
      const answers = await tunnels.answers(lease);
      if (answers !== null) return answers;
      const opened = await open(lease);
      if (opened !== null) moved(lease.name, opened);
      return opened !== null;
    },
    beat: ({ name }) => sendBeat(dependencies, name),
    async close(name) {
      registry.remove(name);
      await tunnels.close(name);
    },
    changed(lease) {
      const { name, phase, local_port } = lease;
      const before = local_port === null ? null : { local_port, key: null };
      const place = tunnels.placeOf(name) ?? before;
      const isShown = phase === "ready" || phase === "degraded";
      if (isShown && place !== null) show(lease, place);
      else registry.remove(name);
    },
  };
}

/** Tells the watchdog that we are here; whether it is alive and releases nothing. */
export async function sendBeat(
  {
    driver,
    newId,
    nextBeat,
    secondsLeft,
  }: Pick<AttachmentsDependencies, "driver" | "newId" | "nextBeat" | "secondsLeft">,
  name: string,
): Promise<boolean> {
  const machine = createMachineCalls({ driver, name, nonce: newId });
  const beat = { beat: nextBeat(), remaining_s: secondsLeft(name) };
  const answer = await machine.sendHeartbeat(beat);
  return answer.kind === "ok" && answer.watchdog_alive && answer.releasing === null;
}

/** Numbers that a watchdog has not seen yet, also after a restart. */
export function createBeats(clock: Pick<Clock, "now">): () => number {
  let last = 0;
  return () => (last = Math.max(last + 1, Math.floor(clock.now() / 1000)));
}
