import type { ProviderType } from "./provider-type.ts";

/** Types of gateways that list a model's hosts and can be told which to use or ignore. */
const HOST_PICKING: ReadonlySet<string> = new Set(["openrouter"]);

/** Whether what serves a model there is one of several hosts, each an endpoint of its own. */
export function hasHosts({ id }: Pick<ProviderType, "id">): boolean {
  return HOST_PICKING.has(id);
}
