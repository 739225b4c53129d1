import { targetKey } from "../../../address/target.ts";
import { type Endpoint, endpointKey } from "../../../canary/endpoints/endpoint.ts";
import type { EndpointUse } from "../../../canary/endpoints/exclude.ts";
import { targetEndpoints } from "../../../canary/endpoints/watched-targets.ts";
import type { Fleet } from "../../../canary/ladder/state.ts";
import type { ExclusionIndex } from "../../../health/exclusions.ts";
import type { RoutingWorld } from "../../../routing/world.ts";
import type { Log } from "../../../telemetry/log.ts";
import type { Fetch } from "../../../upstream/fetch.ts";
import type { InstanceRegistry } from "../../../upstream/instance.ts";
import type { RouterIdentity } from "../../../upstream/outbound-headers.ts";
import type { Catalog } from "../../catalog.ts";
import { createHostListing, unlisted } from "./list-hosts.ts";
import type { CanarySettings } from "./settings.ts";
import { useNow } from "./use-now.ts";
import { watchedGroups } from "./watched-groups.ts";

export interface FinderDependencies {
  readonly registry: Pick<InstanceRegistry, "get" | "list">;
  readonly world: () => RoutingWorld;
  readonly catalog: Pick<Catalog, "cardOf">;
  readonly exclusions: () => ExclusionIndex;
  readonly fetch: Fetch;
  readonly identity: RouterIdentity;
  readonly log: Pick<Log, "warn">;
  /** The endpoint has answered that it takes no form of output. */
  readonly lacksFormat: (endpoint: string) => boolean;
}

export interface FoundEndpoints {
  readonly endpoints: readonly { readonly endpoint: Endpoint; readonly use: EndpointUse }[];
  readonly controls: readonly Endpoint[];
}

/** Returns what finds everything that is to be probed, anew each round. */
export function createEndpointFinder(dependencies: FinderDependencies) {
  const { world, catalog, exclusions, log, lacksFormat } = dependencies;
  const warnOnce = createOnce((message) => log.warn(message));
  const hostsOf = createHostListing({ ...dependencies, warnOnce });

  async function expand(own: Endpoint, fleet: Fleet, signal: AbortSignal) {
    const hosts = await hostsOf(own, fleet, signal);
    if (hosts === null) return [lacksFormat(own.key) ? withoutFormat(own) : own];
    // A pool has enough left as long as its gateways have.
    return hosts.map((host) => inGroups(host, own.groups));
  }

  return async (
    { models, controls }: Pick<CanarySettings, "models" | "controls">,
    fleet: Fleet,
    signal: AbortSignal,
  ): Promise<FoundEndpoints> => {
    const { groups, missing } = watchedGroups(models, world());
    for (const what of missing) warnOnce(`the canary cannot watch what is not there: ${what}`);
    const own = targetEndpoints(groups, (target) => catalog.cardOf(target));
    const expanded = await Promise.all(own.map((endpoint) => expand(endpoint, fleet, signal)));
    const endpoints = expanded.flat();
    const standings = { exclusions: exclusions(), world: world() };
    return {
      endpoints: endpoints.map((endpoint) => ({ endpoint, use: useNow(endpoint, standings) })),
      controls: controls.flatMap((text) => {
        const control = controlOf(text, endpoints, dependencies);
        if (control === null) warnOnce(`the control \`${text}\` is at no instance that exists now`);
        return control === null ? [] : [control];
      }),
    };
  };
}

function createOnce(tell: (message: string) => void): (message: string) => void {
  const told = new Set<string>();
  return (message) => {
    if (told.has(message)) return;
    told.add(message);
    tell(message);
  };
}

function inGroups(host: Endpoint, groups: readonly string[]): Endpoint {
  return { ...host, groups: [...new Set([...host.groups, ...groups])] };
}

/** As of an endpoint that lists what it takes, and a form is not among it. */
function withoutFormat(endpoint: Endpoint): Endpoint {
  return { ...endpoint, supported: ["temperature"] };
}

/** A control as it is listed, else as far as the config tells; null where its instance is gone. */
function controlOf(
  text: string,
  endpoints: readonly Endpoint[],
  { registry, catalog }: Pick<FinderDependencies, "registry" | "catalog">,
): Endpoint | null {
  const { name, model, host } = partsOf(text);
  const instance = registry.list().find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (instance === undefined) return null;
  const target = { instance: instance.name, model };
  const key = endpointKey(targetKey(target), host);
  const known = endpoints.find((endpoint) => endpoint.key === key);
  return known ?? unlisted(target, host, catalog.cardOf(target).price);
}

/** A name of an instance has no colon, and what follows the last `@` is the host. */
function partsOf(control: string) {
  const colon = control.indexOf(":");
  const [name, rest] = [control.slice(0, colon), control.slice(colon + 1)];
  const at = rest.lastIndexOf("@");
  if (at === -1) return { name, model: rest, host: null };
  return { name, model: rest.slice(0, at), host: rest.slice(at + 1) };
}
