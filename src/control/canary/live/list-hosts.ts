import { type Target, targetKey } from "../../../address/target.ts";
import { type Endpoint, endpointKey } from "../../../canary/endpoints/endpoint.ts";
import { listingPath, readListing } from "../../../canary/endpoints/listing.ts";
import type { Fleet } from "../../../canary/ladder/state.ts";
import { hasHosts } from "../../../catalog/gateway.ts";
import type { Fetch } from "../../../upstream/fetch.ts";
import { getJson } from "../../../upstream/get-json.ts";
import type { InstanceRegistry } from "../../../upstream/instance.ts";
import type { RouterIdentity } from "../../../upstream/outbound-headers.ts";

type Place = Pick<Target, "instance" | "model">;

export interface HostListing {
  readonly fetch: Fetch;
  readonly identity: RouterIdentity;
  readonly registry: Pick<InstanceRegistry, "get">;
  readonly warnOnce: (message: string) => void;
}

/** More than any listing of one model has. */
const MAX_BYTES = 4 * 1024 ** 2;

/**
 * Returns what lists the hosts of a target; null where they cannot be told apart. A gateway that does
 * not answer has not lost its hosts: then they are those of the last good listing, else of the fleet.
 */
export function createHostListing({ fetch, identity, registry, warnOnce }: HostListing) {
  const listings = new Map<string, readonly Endpoint[]>();

  return async (
    target: Place,
    fleet: Fleet,
    signal: AbortSignal,
  ): Promise<readonly Endpoint[] | null> => {
    const instance = registry.get(target.instance);
    const path = listingPath(target.model);
    if (instance === undefined || !hasHosts(instance.type) || path === null) return null;
    const key = targetKey(target);
    const asked = { fetch, identity, instance, signal, path, max_bytes: MAX_BYTES };
    const answer = await getJson(asked);
    const read = answer.ok
      ? readListing(answer.value, target)
      : ({ ok: false, reason: answer.failure } as const);
    if (read.ok) {
      listings.set(key, read.endpoints);
      return read.endpoints;
    }
    if (!signal.aborted) {
      warnOnce(`the hosts of \`${key}\` could not be listed: \`${instance.name}\`: ${read.reason}`);
    }
    return listings.get(key) ?? hostsIn(fleet, target);
  };
}

/** What was known before the process started; nobody remembers their prices. */
function hostsIn(fleet: Fleet, target: Place): readonly Endpoint[] {
  return [...fleet.endpoints.values()]
    .filter(
      ({ instance, model, host, is_present }) =>
        host !== null && is_present && instance === target.instance && model === target.model,
    )
    .map(({ host }) => unlisted(target, host, NO_PRICE));
}

const NO_PRICE = { input_usd: null, output_usd: null, cached_input_usd: null };

/** An endpoint of which no listing tells. */
export function unlisted(
  { instance, model }: Place,
  host: string | null,
  price: Endpoint["price"],
): Endpoint {
  const target = targetKey({ instance, model });
  const facts = { host_name: null, groups: [target], price, supported: null, reasoning: null };
  return { key: endpointKey(target, host), instance, model, host, ...facts };
}
