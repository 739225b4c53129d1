import { quote } from "../address/spec-fault.ts";
import { modelOwner } from "../catalog/model-owners.ts";
import { providerType } from "../catalog/provider-types.ts";
import { memoize, memoizeRecent } from "../lib/memoize.ts";
import { type Destination, only, type Refusal, refuse } from "./destination.ts";
import { instanceOfType } from "./locate-spec.ts";
import { createMember } from "./member.ts";
import { isPermitted } from "./rules.ts";
import { suggest } from "./suggest.ts";
import { listed } from "./words.ts";
import {
  canServe,
  hasModel,
  type Instances,
  realInstances,
  type RoutingWorld,
  type Scene,
  type WorldInstance,
} from "./world.ts";

/**
 * Finds the instance for a model name written without one: who lists it, else the vendor whose name
 * it is, else the only instance there is if nobody knows what that serves.
 */
export function locateBare(name: string, scene: Scene): Destination | Refusal {
  const { world, dialect } = scene;
  const listing = listingInstances(name, world);
  const able = listing.filter((instance) => canServe(instance, dialect));
  const permitted = able.find((instance) => isPermitted(instance, name, scene));
  const lister = permitted ?? able[0] ?? listing[0];
  if (lister !== undefined) return target(name, lister, `${quote(lister.name)} lists it`);
  const owner = ownerInstance(name, scene);
  if (owner !== undefined) {
    return target(name, owner, `names like it belong to ${quote(owner.type.id)}`);
  }
  const real = realInstances(world);
  const [single] = real;
  if (single !== undefined && real.length === 1 && single.models.from === "unknown") {
    return target(name, single, `${quote(single.name)} is the only instance and has no known list`);
  }
  return refuse("model_not_found", notFound(name, world), "model");
}

/** The instances that bare names are looked up in: the simulator only if there is nothing else. */
export function lookedUp(world: Instances): readonly WorldInstance[] {
  const real = realInstances(world);
  return real.length === 0 ? world.instances : real;
}

export function listingInstances(name: string, world: Instances): readonly WorldInstance[] {
  return lookedUp(world).filter((instance) => hasModel(instance, name));
}

function target(model: string, instance: WorldInstance, why: string): Destination {
  const member = memberAt(instance)(model);
  return only(member, [`${quote(model)} goes to ${quote(instance.name)}: ${why}`]);
}

/** Names that are worth being remembered, per instance; a stranger may make up any. */
const MAX_NAMES = 512;

/** A model at an instance, so that its target is the same object each time. */
const memberAt = memoize((instance: WorldInstance) =>
  memoizeRecent((model) => {
    const place = { instance: instance.name, model };
    return createMember({ place, params: {}, instance, reasons: [] });
  }, MAX_NAMES),
);

/** A configured list is the operator's word on what there is; a listing may leave out a vendor's aliases. */
function ownerInstance(name: string, { world, dialect }: Scene): WorldInstance | undefined {
  const owner = modelOwner(name);
  const instance = owner === null ? undefined : instanceOfType(owner, world);
  if (instance === undefined || instance.models.from === "config") return undefined;
  return canServe(instance, dialect) ? instance : undefined;
}

function notFound(name: string, world: RoutingWorld): string {
  const instances = lookedUp(world);
  const names = new Set(instances.flatMap(({ models }) => models.names));
  for (const alias of Object.keys(world.aliases)) if (!alias.endsWith("*")) names.add(alias);
  const near = suggest(name, names);
  const unlisted = instances.filter(({ models }) => models.from === "unknown");
  const hints = [
    near.length === 0 ? [] : [`nearest: ${listed(near)}`],
    unlisted.length === 0
      ? []
      : [
          `the models of ${listed(unlisted.map((one) => one.name))} are not known: write \`instance:model\``,
        ],
    ownerHint(name, world),
  ].flat();
  const ways = hints.length > 0 ? hints : ["`GET /v1/models` lists what there is"];
  return [`there is no model ${quote(name)}`, ...ways].join("; ");
}

function ownerHint(name: string, world: RoutingWorld): string[] {
  const type = providerType(modelOwner(name) ?? "");
  if (type === undefined || instanceOfType(type.id, world) !== undefined) return [];
  return [`names like it belong to ${quote(type.id)}: ${world.absence(type).message}`];
}
