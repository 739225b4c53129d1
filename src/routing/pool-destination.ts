import type { Spec } from "../address/target.ts";
import type { Destination } from "./destination.ts";
import { locateSpec } from "./locate-spec.ts";
import { type Member, splitParams } from "./member.ts";
import type { RoutingWorld, WorldPool } from "./world.ts";

/** A pool as a destination; a member that leads nowhere stays in it, with the reason. */
export function poolDestination(
  [name, { strategy, members }]: readonly [string, WorldPool],
  world: RoutingWorld,
  ...notes: readonly string[]
): Destination {
  return {
    kind: "destination",
    pool: name,
    strategy,
    members: members.map((spec) => memberOf(spec, world)),
    notes,
  };
}

function memberOf(spec: Spec, world: RoutingWorld): Member {
  const located = locateSpec(spec, world);
  if (located.kind === "member") return located.member;
  const { order, weight, params } = splitParams(spec.params);
  return {
    target: { instance: spec.instance ?? spec.provider, model: spec.model ?? "", params },
    instance: null,
    order,
    weight,
    reasons: [{ layer: 0, code: located.code, detail: located.message, until_at: null }],
  };
}
