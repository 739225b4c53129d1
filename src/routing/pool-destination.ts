import type { Spec } from "../address/target.ts";
import type { Destination } from "./destination.ts";
import { locateSpec } from "./locate-spec.ts";
import { createMember, type Member } from "./member.ts";
import type { RoutingWorld, WorldInstance, WorldPool } from "./world.ts";

interface ResolvedPool {
  readonly members: readonly Member[];
  readonly has_repeats: boolean;
}

/** What pools lead to, by list of instances; both are replaced when anything in them changes. */
const resolvedPools = new WeakMap<readonly WorldInstance[], WeakMap<WorldPool, ResolvedPool>>();

/** A pool as a destination; a member that leads nowhere stays in it, with the reason. */
export function poolDestination(
  [name, pool]: readonly [string, WorldPool],
  world: RoutingWorld,
  ...notes: readonly string[]
): Destination {
  const known = resolvedPools.get(world.instances) ?? new WeakMap<WorldPool, ResolvedPool>();
  resolvedPools.set(world.instances, known);
  const resolved = known.get(pool) ?? resolvePool(pool, world);
  known.set(pool, resolved);
  return { kind: "destination", pool: { name, ...pool }, ...resolved, notes };
}

function resolvePool(pool: WorldPool, world: RoutingWorld): ResolvedPool {
  const members = pool.members.map((spec) => memberOf(spec, world));
  return { members, has_repeats: new Set(members.map(({ key }) => key)).size < members.length };
}

/** The member that a spec stands for; one that leads nowhere has the reason. */
export function memberOf(spec: Spec, world: RoutingWorld): Member {
  const located = locateSpec(spec, world);
  if (located.kind === "member") return located.member;
  const { code, message: detail } = located;
  return createMember({
    place: { instance: spec.instance ?? spec.provider, model: spec.model ?? "" },
    params: spec.params,
    instance: null,
    reasons: [{ layer: 0, code, detail, until_at: null }],
  });
}
