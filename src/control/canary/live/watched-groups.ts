import { parseSpec } from "../../../address/spec.ts";
import { type Spec, type Target, targetKey } from "../../../address/target.ts";
import type { WatchedGroup } from "../../../canary/endpoints/watched-targets.ts";
import { locateSpec } from "../../../routing/locate-spec.ts";
import type { RoutingWorld } from "../../../routing/world.ts";

export interface Watched {
  readonly groups: readonly WatchedGroup[];
  /** What is to be watched and cannot be found, in words. */
  readonly missing: readonly string[];
}

const POOL = "pool:";

/** The targets that the config names, found as requests find theirs. */
export function watchedGroups(models: readonly string[], world: RoutingWorld): Watched {
  const missing: string[] = [];
  const located = (spec: Spec): Pick<Target, "instance" | "model">[] => {
    const found = locateSpec(spec, world);
    if (found.kind === "member") return [found.member.target];
    missing.push(found.message);
    return [];
  };
  const groups = models.flatMap((text): readonly WatchedGroup[] => {
    if (text.startsWith(POOL)) {
      const members = world.pools.get(text.slice(POOL.length))?.members ?? [];
      return [{ name: text, targets: members.flatMap(located) }];
    }
    const parsed = parseSpec(text);
    const targets = parsed.ok ? located(parsed.spec) : [];
    return targets.map((target) => ({ name: targetKey(target), targets: [target] }));
  });
  return { groups, missing };
}
