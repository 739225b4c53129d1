import { parseSpec } from "../address/spec.ts";
import type { Spec } from "../address/target.ts";
import type { Config } from "../config/schema.ts";
import { memoize } from "../lib/memoize.ts";
import type { Health } from "../relay/health-state.ts";
import {
  knownModels,
  type RoutingWorld,
  type WorldInstance,
  type WorldPool,
} from "../routing/world.ts";
import { absenceProblem } from "../upstream/configured.ts";
import type { Instance, InstanceRegistry } from "../upstream/instance.ts";

interface WorldDependencies {
  readonly registry: InstanceRegistry;
  readonly config: () => Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly health: Health;
}

/** Returns what routing may know right now. What only a reload changes is worked out once per config. */
export function createWorld(dependencies: WorldDependencies): () => RoutingWorld {
  const { registry, config, env, health } = dependencies;
  const pools = memoize(poolsOf);
  return () => {
    const current = config();
    return {
      instances: registry.list().map((instance) => worldInstance(instance, registry)),
      pools: pools(current),
      lanes: [],
      profiles: [],
      aliases: current.aliases,
      default_pool: current.routing.default_pool ?? null,
      absence: (type) => absenceProblem(type, { config: current, env }),
      eligibility: (target, pinned) => health.reasons(target, pinned),
    };
  };
}

function worldInstance(instance: Instance, registry: InstanceRegistry): WorldInstance {
  const { name, type, source, problem, default_model, configured_models } = instance;
  const listing = registry.listing(name);
  const listed = listing.at === null ? null : listing.models;
  return {
    name,
    type,
    source,
    problem,
    default_model: default_model ?? type.default_model,
    models: knownModels(configured_models, listed),
  };
}

function poolsOf({ pools, routing }: Config): ReadonlyMap<string, WorldPool> {
  const entries = Object.entries(pools).map(([name, { strategy, targets }]) => {
    const pool = { strategy: strategy ?? routing.default_strategy, members: specsOf(targets) };
    return [name, pool] as const;
  });
  return new Map(entries);
}

/** The loader has refused every config with a member that does not parse. */
function specsOf(targets: readonly string[]): Spec[] {
  return targets.flatMap((text) => {
    const parsed = parseSpec(text);
    return parsed.ok ? [parsed.spec] : [];
  });
}
