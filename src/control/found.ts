import type { Config } from "../config/schema.ts";
import type { Store } from "../store/store.ts";
import type { Instance, InstanceRegistry } from "../upstream/instance.ts";
import { proxyNotices } from "../upstream/proxy.ts";

/** An instance as `serve` lists it. */
export interface FoundInstance {
  readonly name: string;
  readonly type: string;
  readonly source: Instance["source"];
  readonly base_url: string;
  /** Models listed or configured; null while unknown. */
  readonly models: number | null;
  /** Why it cannot serve, or null. */
  readonly problem: string | null;
}

/** What a start came upon. */
export interface Found {
  /** Without the built-in simulator. */
  readonly instances: readonly FoundInstance[];
  /** True once a key of either scope exists. */
  readonly keys_required: boolean;
  /** The proxies that remote instances use and by which, without their credentials. */
  readonly proxies: readonly string[];
}

interface FoundDependencies {
  readonly registry: InstanceRegistry;
  readonly config: Config;
  readonly store: Pick<Store, "state">;
}

export function found({ registry, config: { server }, store }: FoundDependencies): Found {
  const instances = registry.list().filter(({ source }) => source !== "builtin");
  const { keys, keys_lost } = store.state();
  const stored = keys_lost || keys.some(({ revoked_at }) => revoked_at === null);
  const configured = (server.client_key ?? "") !== "" || (server.admin_key ?? "") !== "";
  return {
    instances: instances.map((instance) => foundInstance(instance, registry)),
    keys_required: stored || configured,
    proxies: proxyNotices(instances),
  };
}

function foundInstance(instance: Instance, registry: InstanceRegistry): FoundInstance {
  const { name, type, source, base_url, configured_models, problem } = instance;
  const listing = registry.listing(name);
  const listed = listing.at === null ? null : listing.models.length;
  return {
    name,
    type: type.id,
    source,
    base_url,
    models: configured_models?.length ?? listed,
    problem: problem?.message ?? null,
  };
}
