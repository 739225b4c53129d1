import { resolveAlias } from "../address/aliases.ts";
import { parseSpec, printSpec } from "../address/spec.ts";
import { isAllowed } from "./allowlist.ts";
import { lookedUp } from "./locate-bare.ts";
import { readModel } from "./resolve.ts";
import type { RoutingWorld, WorldInstance } from "./world.ts";

export interface ListedModel {
  /** Accepted as `model` exactly as it stands here. */
  readonly id: string;
  readonly kind: "alias" | "auto" | "lane" | "pool" | "profile" | "target" | "model";
  /** The instance it leads to, null where the router decides. */
  readonly instance: string | null;
}

/**
 * What clients may ask for: aliases, `auto`, lanes, pools, profiles, then every target as
 * `instance:model`, then the bare model names, each once. Bare names are there because clients look
 * up the ids a vendor documents. The simulator shows only where there is nothing else.
 */
export function listModels(world: RoutingWorld): readonly ListedModel[] {
  const usable = lookedUp(world).filter(({ problem }) => problem === null);
  const entries: readonly ListedModel[] = [
    ...Object.keys(world.aliases)
      .filter((name) => !name.endsWith("*"))
      .map((id) => ours("alias", id)),
    ours("auto", "auto"),
    ...world.lanes.map((name) => ours("lane", `lane:${name}`)),
    ...[...world.pools.keys()].map((name) => ours("pool", `pool:${name}`)),
    ...[...world.profiles.keys()].map((name) => ours("profile", `profile:${name}`)),
    ...usable.flatMap((instance) => targetsOf(instance, world)),
    ...usable.flatMap((instance) => bareNamesOf(instance, world)),
  ];
  const seen = new Set<string>();
  return entries.filter(({ id }) => !seen.has(id) && seen.add(id));
}

function ours(kind: ListedModel["kind"], id: string): ListedModel {
  return { id, kind, instance: null };
}

/** The known models; of an instance that lists none, the one it would use. */
function modelsOf({ models, default_model }: WorldInstance): readonly string[] {
  if (models.from !== "unknown") return models.names;
  return default_model === null ? [] : [default_model];
}

/** Those that the allowlist, if there is one, lets serve. */
function allowed(names: readonly string[], instance: WorldInstance, { allowlist }: RoutingWorld) {
  if (allowlist === null) return names;
  return names.filter((model) => isAllowed(allowlist, instance, model));
}

function targetsOf(instance: WorldInstance, world: RoutingWorld): ListedModel[] {
  return allowed(modelsOf(instance), instance, world)
    .map((model) => printSpec({ provider: instance.name, model, params: {}, instance: null }))
    .filter((id) => parseSpec(id).ok)
    .map((id) => ({ id, kind: "target", instance: instance.name }));
}

function bareNamesOf(instance: WorldInstance, world: RoutingWorld): ListedModel[] {
  return allowed(instance.models.names, instance, world)
    .filter((name) => readModel(name, world).kind === "bare")
    .map((name) => {
      const alias = resolveAlias(world.aliases, name, "all");
      return { id: name, kind: "model", instance: alias.kind === "none" ? instance.name : null };
    });
}
