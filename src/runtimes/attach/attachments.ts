import type { Routing } from "../../config/schema-routing.ts";
import type { InstanceRegistry } from "../../upstream/instance.ts";
import type { Lease } from "../lease.ts";
import type { LeaseChange } from "../leases/change-lease.ts";
import type { Attachments } from "../supervision/attachments.ts";
import { baseUrl, type HeldTunnels, type TunnelPlace } from "./held-tunnels.ts";
import { runtimeInstance } from "./runtime-instance.ts";
import { type BeatDependencies, sendBeat } from "./send-beat.ts";

export interface AttachmentsDependencies extends BeatDependencies {
  readonly tunnels: HeldTunnels;
  readonly registry: Pick<InstanceRegistry, "add" | "remove">;
  readonly routing: () => Routing;
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
    beat: (lease) => sendBeat(dependencies, lease),
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
