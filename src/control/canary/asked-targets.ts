import { type Target, targetKey } from "../../address/target.ts";
import type { EndpointKey } from "../../canary/endpoints/endpoint.ts";
import { EMPTY_FLEET, type EndpointState, type Fleet } from "../../canary/ladder/state.ts";
import { canShow } from "../../canary/trials/topic.ts";
import { subjectKey } from "../../health/scope.ts";
import { memoize } from "../../lib/memoize.ts";

/** Of which targets the canary finds out, in the clients' stead, that a signature is over. */
export interface AskedTargets {
  /** Those of this fleet from now on; null for none. */
  readonly follow: (fleet: (() => Fleet) | null) => void;
  readonly has: (target: Pick<Target, "instance" | "model">, signature: string) => boolean;
}

export function createAskedTargets(): AskedTargets {
  let current = nobody;
  const keysOf = memoize(presentTargets);
  return {
    follow: (fleet) => void (current = fleet ?? nobody),
    has: (target, signature) =>
      keysOf(current().endpoints).has(subjectKey(targetKey(target))) && canShow(signature),
  };
}

const nobody = (): Fleet => EMPTY_FLEET;

function presentTargets(endpoints: ReadonlyMap<EndpointKey, EndpointState>): ReadonlySet<string> {
  const present = [...endpoints.values()].filter(({ is_present }) => is_present);
  return new Set(present.map((state) => subjectKey(targetKey(state))));
}
