import { quote } from "../address/spec-fault.ts";
import { type Destination, only, type Refusal, refuse } from "./destination.ts";
import { lookedUp } from "./locate-bare.ts";
import { locateSpec } from "./locate-spec.ts";
import { poolDestination } from "./pool-destination.ts";
import type { NamedProfile } from "./profile.ts";
import { isPermitted } from "./rules.ts";
import { canServe, type RoutingWorld, type Scene } from "./world.ts";

/** What `auto` stands for: the first of the places it may be configured in. */
export function resolveAuto(scene: Scene): Destination | Refusal {
  const { world, dialect, profile } = scene;
  const { default_pool, pools } = world;
  if (profile !== null && profile.pool !== null) return profilePool(profile.pool, profile, world);
  if (default_pool !== null) {
    const pool = pools.get(default_pool);
    return pool === undefined
      ? missingDefault(default_pool)
      : poolDestination([default_pool, pool], world, [autoIs(default_pool, "the default")]);
  }
  const [sole, ...others] = pools;
  if (sole !== undefined && others.length === 0) {
    return poolDestination(sole, world, [autoIs(sole[0], "the only one")]);
  }
  const instance = lookedUp(world).find(
    (one) =>
      one.default_model !== null &&
      canServe(one, dialect) &&
      isPermitted(one, one.default_model, scene),
  );
  if (instance === undefined) return nothingForAuto(pools.size);
  const provider = instance.name.toLowerCase();
  const located = locateSpec({ provider, model: null, params: {}, instance: null }, world);
  return located.kind === "member"
    ? only(located.member, [`\`auto\` is the default model of ${quote(instance.name)}`])
    : refuse("no_target_available", located.message, "model");
}

function profilePool(
  name: string,
  profile: NamedProfile,
  world: RoutingWorld,
): Destination | Refusal {
  const pool = world.pools.get(name);
  const which = `profile ${quote(profile.name)}`;
  if (pool !== undefined)
    return poolDestination([name, pool], world, [autoIs(name, `by ${which}`)]);
  const message = `${which} leads to ${quote(name)}, which is no pool; add \`[pools.${name}]\` or change the profile`;
  return refuse("no_target_available", message, "model");
}

function autoIs(pool: string, why: string): string {
  return `\`auto\` is pool ${quote(pool)}, ${why}`;
}

function missingDefault(name: string): Refusal {
  const message = `\`routing.default_pool\` names ${quote(name)}, which is no pool; add \`[pools.${name}]\` or name another`;
  return refuse("no_target_available", message, "model");
}

function nothingForAuto(poolCount: number): Refusal {
  const several = poolCount > 1 ? "set `routing.default_pool`, or " : "";
  const message = `nothing is configured that \`auto\` could stand for: ${several}set \`default_model\` in a usable \`[providers.…]\` section, add a \`[pools.…]\` section, or set a provider's variable such as \`OPENAI_API_KEY\``;
  return refuse("no_target_available", message, "model");
}
