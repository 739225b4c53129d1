import type { Spec } from "../address/target.ts";
import { memoize } from "../lib/memoize.ts";
import { type Destination, NO_NOTES } from "./destination.ts";
import { locateSpec } from "./locate-spec.ts";
import { createMember, type Member } from "./member.ts";
import type { RoutingWorld, WorldInstance, WorldPool } from "./world.ts";

type ResolvedPool = Pick<Destination, "pool" | "members" | "has_repeats">;

/** What pools lead to, by list of instances; both are replaced when anything in them changes. */
const resolvedAmong = memoize<readonly WorldInstance[], WeakMap<WorldPool, ResolvedPool>>(
  () => new WeakMap(),
);

/** A pool as a destination; a member that leads nowhere stays in it, with the reason. */
export function poolDestination(
  named: readonly [string, WorldPool],
  world: RoutingWorld,
  notes = NO_NOTES,
): Destination {
  const known = resolvedAmong(world.instances);
  let resolved = known.get(named[1]);
  if (resolved === undefined) {
    resolved = resolvePool(named, world);
    known.set(named[1], resolved);
  }
  const { pool, members, has_repeats } = resolved;
  return { kind: "destination", pool, members, has_repeats, notes };
}

function resolvePool(
  [name, pool]: readonly [string, WorldPool],
  world: RoutingWorld,
): ResolvedPool {
  const members = pool.members.map((spec) => memberOf(spec, world));
  const has_repeats = new Set(members.map(({ key }) => key)).size < members.length;
  return { pool: { name, ...pool }, members, has_repeats };
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
