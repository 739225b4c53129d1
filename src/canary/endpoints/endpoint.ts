import type { Price } from "../../catalog/model-card.ts";

/** Identity of an endpoint: its target's key, and behind a gateway `@` and the upstream host. */
export type EndpointKey = string;

/** The unit under test: a target, at one upstream host where a gateway has several. */
export interface Endpoint {
  readonly key: EndpointKey;
  readonly instance: string;
  readonly model: string;
  /** What the gateway calls the host in `provider.only`; null for a target that is its own endpoint. */
  readonly host: string | null;
  /** What answers call the host; null where they need not. */
  readonly host_name: string | null;
  /** What must not run out of hosts together: a gateway's model, a pool. */
  readonly groups: readonly string[];
  readonly price: Price;
  /** Names of the parameters it takes; null if nobody said. */
  readonly supported: readonly string[] | null;
  /** It thinks before it answers; null if nobody said. */
  readonly reasoning: boolean | null;
}

export function endpointKey(target: string, host: string | null): EndpointKey {
  return host === null ? target : `${target}@${host}`;
}
