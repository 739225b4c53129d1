import { quote } from "../address/spec-fault.ts";
import { type Destination, only, type Refusal, refuse } from "./destination.ts";
import { locateSpec } from "./locate-spec.ts";
import type { Member } from "./member.ts";
import { canServe, realInstances, type Scene, type WorldPool } from "./world.ts";

/** What `auto` stands for: the first of the places it may be configured in. */
export function resolveAuto(scene: Scene): Destination | Refusal {
  const { world, dialect } = scene;
  if (world.default_pool !== null) {
    const pool = world.pools.get(world.default_pool);
    return pool === undefined
      ? refuse(
          "no_target_available",
          `\`routing.default_pool\` names ${quote(world.default_pool)}, which is no pool; fix it or add \`[pools.${world.default_pool}]\``,
          "model",
        )
      : poolDestination(world.default_pool, pool, scene, "`routing.default_pool`");
  }
  const [sole, ...others] = world.pools;
  if (sole !== undefined && others.length === 0) {
    return poolDestination(sole[0], sole[1], scene, "the only pool");
  }
  const real = realInstances(world);
  const usable = real.length === 0 ? world.instances : real;
  const instance = usable.find((one) => one.default_model !== null && canServe(one, dialect));
  if (instance === undefined) return refuse("no_target_available", nothingForAuto(scene), "model");
  const located = locateSpec(
    { provider: instance.name.toLowerCase(), model: null, params: {}, instance: null },
    world,
  );
  if (located.kind === "nowhere") {
    return refuse("no_target_available", located.message, "model");
  }
  return only(located.member, `\`auto\` is the default model of ${quote(instance.name)}`);
}

function nothingForAuto({ world }: Scene): string {
  const several = world.pools.size > 1 ? "set `routing.default_pool`, or " : "";
  return `nothing is configured that \`auto\` could stand for: ${several}set \`default_model\` in a usable \`[providers.…]\` section, add a \`[pools.…]\` section, or set a provider's variable such as \`OPENAI_API_KEY\``;
}

/** A pool as a destination; a member that leads nowhere stays in it, with the reason. */
export function poolDestination(
  name: string,
  pool: WorldPool,
  { world }: Scene,
  why?: string,
): Destination {
  const members = pool.members.map((spec): Member => {
    const located = locateSpec(spec, world);
    if (located.kind === "member") return located.member;
    return {
      target: {
        instance: spec.instance ?? spec.provider,
        model: spec.model ?? "",
        params: {},
      },
      instance: null,
      order: 0,
      weight: 1,
      reasons: [{ layer: 0, code: located.code, detail: located.message, until_at: null }],
    };
  });
  return {
    kind: "destination",
    pool: name,
    strategy: pool.strategy,
    members,
    notes: why === undefined ? [] : [`\`auto\` is pool ${quote(name)}: ${why}`],
  };
}
