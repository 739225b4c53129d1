import type { ProviderType } from "../catalog/provider-type.ts";
import { isLoopbackHost } from "../config/base-url.ts";
import type { Routing } from "../config/schema-routing.ts";
import type { Clock } from "../lib/clock.ts";
import { buildInstance } from "./build-instance.ts";
import type { ReportChange } from "./discovery-change.ts";
import type { Fetch } from "./fetch.ts";
import type { Instance, InstanceRegistry } from "./instance.ts";
import { type LocalAnswer, localTypes, probeLocalServer } from "./local-servers.ts";
import type { RouterIdentity } from "./outbound-headers.ts";

/** Limit of one look at all ports, below the second that a bare name waits at most. */
const LIMIT_MS = 900;
/** A server too busy to answer is still there; after this many silent rounds it is not. */
const SILENT_ROUNDS = 3;

export interface LocalDiscoveryDependencies {
  readonly registry: InstanceRegistry;
  readonly fetch: Fetch;
  readonly identity: RouterIdentity;
  readonly clock: Clock;
  /** Read at each round, so that a reload counts from then on. */
  readonly routing: () => Routing;
  /** The router's own port, which is never asked; null before it listens. */
  readonly ownPort: () => number | null;
  readonly report: ReportChange;
}

type Found = Extract<LocalAnswer, { kind: "found" }>;

/** Returns a round: it brings the registry's local finds into step with what listens on this machine. */
export function createLocalDiscovery(dependencies: LocalDiscoveryDependencies) {
  const { registry, fetch, identity, clock, routing, ownPort, report } = dependencies;
  const silences = new Map<string, number>();

  const isFound = (type: ProviderType) => registry.get(type.id)?.source === "local";

  function add(type: ProviderType, { models, facts }: Found) {
    if (!isFound(type)) {
      report({ kind: "found", instance: type.id, models: models.length });
    }
    silences.delete(type.id);
    registry.add(localInstance(type, routing()));
    const listing = { state: "ok", models, at: clock.now() } as const;
    registry.setListing(type.id, { ...listing, ...(facts && { facts }) });
  }

  function drop(type: ProviderType) {
    silences.delete(type.id);
    if (isFound(type)) report({ kind: "vanished", instance: type.id });
    registry.remove(type.id);
  }

  async function look(type: ProviderType, signal: AbortSignal) {
    const answer = await probeLocalServer({ fetch, identity, type, signal });
    // The config may have claimed the server while it was asked.
    if (!isWanted(type, registry)) return drop(type);
    if (answer.kind === "found") return add(type, answer);
    const silent = (silences.get(type.id) ?? 0) + 1;
    if (answer.kind === "absent" || silent >= SILENT_ROUNDS) return drop(type);
    silences.set(type.id, silent);
  }

  return async function round(signal: AbortSignal): Promise<void> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
    const asked = localTypes().filter(({ local_port }) => local_port !== ownPort());
    await Promise.all(
      asked.map((type) =>
        isWanted(type, registry) ? look(type, limited) : Promise.resolve(drop(type)),
      ),
    );
  };
}

/** False where config or environment already have the name or the server itself. */
function isWanted(type: ProviderType, registry: InstanceRegistry): boolean {
  const others = registry.list().filter(({ source }) => source !== "local");
  return !others.some(
    (other) => other.name.toLowerCase() === type.id || isOnPort(other, type.local_port),
  );
}

function isOnPort({ base_url }: Instance, port: number | null): boolean {
  const url = URL.parse(base_url);
  return url !== null && isLoopbackHost(url.hostname) && url.port === String(port);
}

/** Without environment: a variable that moves the type's base URL does not speak of this server. */
function localInstance(type: ProviderType, routing: Routing): Instance {
  const parts = { name: type.id, type, section: null, config: { routing }, env: {} };
  return buildInstance({ ...parts, source: "local" });
}
