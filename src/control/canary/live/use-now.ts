import { type Endpoint, endpointKey } from "../../../canary/endpoints/endpoint.ts";
import { type EndpointUse, useOf } from "../../../canary/endpoints/exclude.ts";
import type { ExclusionIndex } from "../../../health/exclusions.ts";
import { standingOf } from "../../../routing/judge.ts";
import { createMember } from "../../../routing/member.ts";
import type { Reason } from "../../../routing/plan.ts";
import { findInstance, type RoutingWorld } from "../../../routing/world.ts";

interface Standings {
  readonly exclusions: ExclusionIndex;
  readonly world: RoutingWorld;
}

/** Layers of what a request cannot be sent to at all, however well it does. */
const UNUSABLE: ReadonlySet<number> = new Set([0, 4]);

/**
 * What is done with an endpoint in this round. One that nobody may be sent to is not asked either, and
 * one that nobody can be sent to is nothing that a suspended one could be replaced by.
 */
export function useNow(endpoint: Endpoint, { exclusions, world }: Standings): EndpointUse {
  const use = excludedUse(endpoint, exclusions, world.now);
  if (use === "off") return "off";
  const reasons = reasonsAgainst(endpoint, world);
  if (reasons === null) return "excluded";
  if (reasons.some(({ code }) => code === "not_allowed")) return "off";
  return reasons.some(({ layer }) => UNUSABLE.has(layer)) ? "excluded" : use;
}

/** An exclusion of a host has it in its subject, those of its target and instance hold for it, too. */
function excludedUse(endpoint: Endpoint, exclusions: ExclusionIndex, now: number): EndpointUse {
  const whole = useOf(endpoint, exclusions, now);
  if (endpoint.host === null || whole === "off") return whole;
  const model = endpointKey(endpoint.model, endpoint.host);
  const own = useOf({ ...endpoint, model }, exclusions, now);
  return own === "watched" ? whole : own;
}

/** Null where there is no such instance. */
function reasonsAgainst(place: Endpoint, world: RoutingWorld): readonly Reason[] | null {
  const instance = findInstance(world, place.instance);
  if (instance === undefined) return null;
  return standingOf(createMember({ place, params: {}, instance, reasons: [] }), world);
}
