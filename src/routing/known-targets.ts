import type { Target, TargetKey } from "../address/target.ts";
import { standingOf } from "./judge.ts";
import { createMember, type Member } from "./member.ts";
import type { Reason } from "./plan.ts";
import { memberOf } from "./pool-destination.ts";
import type { RoutingWorld, WorldInstance } from "./world.ts";

/** A target somebody may ask for, and what is against it whatever the request. */
export interface KnownTarget {
  readonly key: TargetKey;
  readonly instance: string;
  readonly model: string;
  readonly reasons: readonly Reason[];
}

type Place = Pick<Target, "instance" | "model">;

/**
 * Every target there is, each once: what instances are known to serve, what pools name, and what was
 * tried, be it that nobody lists it.
 */
export function knownTargets(world: RoutingWorld, tried: readonly Place[]): readonly KnownTarget[] {
  const members = new Map<TargetKey, Member>();
  const add = (member: Member) => {
    if (!members.has(member.key)) members.set(member.key, member);
  };
  for (const instance of world.instances) listedBy(instance).forEach(add);
  for (const pool of world.pools.values()) {
    for (const spec of pool.members) add(memberOf(spec, world));
  }
  for (const place of tried) {
    const { instance, model } = place;
    add(memberOf({ provider: instance.toLowerCase(), model, params: {}, instance: null }, world));
  }
  return [...members.values()].map((member) => {
    const { instance, model } = member.target;
    return { key: member.key, instance, model, reasons: standingOf(member, world) };
  });
}

function listedBy(instance: WorldInstance): Member[] {
  return instance.models.names.map((model) =>
    createMember({
      place: { instance: instance.name, model },
      params: {},
      instance,
      reasons: [],
    }),
  );
}
