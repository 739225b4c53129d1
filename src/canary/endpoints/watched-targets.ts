import { type Target, targetKey } from "../../address/target.ts";
import type { ModelCard } from "../../catalog/model-card.ts";
import type { Endpoint } from "./endpoint.ts";

/** A pool, or a target of its own, whose members are to be probed. */
export interface WatchedGroup {
  readonly name: string;
  readonly targets: readonly Pick<Target, "instance" | "model">[];
}

/** Each target once, as its own endpoint, in all groups that it is in. */
export function targetEndpoints(
  groups: readonly WatchedGroup[],
  cardOf: (target: Pick<Target, "instance" | "model">) => ModelCard,
): readonly Endpoint[] {
  const found = new Map<string, Endpoint>();
  for (const { name, targets } of groups) {
    for (const target of targets) {
      const key = targetKey(target);
      const names = found.get(key)?.groups ?? [];
      if (!names.includes(name))
        found.set(key, endpointOf(target, [...names, name], cardOf(target)));
    }
  }
  return [...found.values()];
}

function endpointOf(
  target: Pick<Target, "instance" | "model">,
  groups: readonly string[],
  { price, capabilities }: ModelCard,
): Endpoint {
  const { instance, model } = target;
  const { reasoning } = capabilities;
  const facts = { host: null, host_name: null, groups, price, supported: null, reasoning };
  return { key: targetKey(target), instance, model, ...facts };
}
