import { type ExclusionIndex, exclusionsOf } from "../../health/exclusions.ts";
import type { Endpoint } from "./endpoint.ts";

/**
 * What is done with an endpoint: `watched` counts as capacity, `excluded` serves nobody for now and is
 * probed all the same so that a person sees when it is well again, `off` is what a release, the config
 * or the allowlist shuts out.
 */
export type EndpointUse = "watched" | "excluded" | "off";

export function useOf(endpoint: Endpoint, exclusions: ExclusionIndex, now: number): EndpointUse {
  const inForce = exclusionsOf(endpoint, exclusions, now);
  if (inForce.some(({ source }) => source !== "operator")) return "off";
  return inForce.length > 0 ? "excluded" : "watched";
}
