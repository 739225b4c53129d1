import { quote } from "../address/spec-fault.ts";
import type { Spec } from "../address/target.ts";
import type { ProviderType } from "../catalog/provider-type.ts";
import { providerType } from "../catalog/provider-types.ts";
import { memoize } from "../lib/memoize.ts";
import { createMember, type Member } from "./member.ts";
import { suggest } from "./suggest.ts";
import { listed } from "./words.ts";
import {
  findInstance,
  hasModel,
  type Instances,
  type RoutingWorld,
  type WorldInstance,
} from "./world.ts";

/** The target a spec names, or why it names none. */
export type Located =
  | { readonly kind: "member"; readonly member: Member }
  | { readonly kind: "nowhere"; readonly code: string; readonly message: string };

/**
 * A pinned instance must exist; else the head names an instance, or a provider type whose first
 * usable instance serves. A type without any instance gives a member that says what is missing.
 */
export function locateSpec(spec: Spec, world: RoutingWorld): Located {
  const place = placeAmong(world.instances)(spec);
  return place.kind === "absent" ? absentMember(spec, place.type, world) : place;
}

/** Where a spec leads, worked out once for as long as the instances stay as they are. */
const placeAmong = memoize((instances: Instances["instances"]) =>
  memoize((spec: Spec): Located | Absent => {
    const owner = ownerOf(spec, { instances });
    return owner.kind === "instance" ? locateAt(owner.instance)(spec) : owner;
  }),
);

/** What a spec names at an instance; its target is the same object each time. */
const locateAt = memoize((instance: WorldInstance) =>
  memoize((spec: Spec): Located => placeAt(instance, spec)),
);

function placeAt(instance: WorldInstance, spec: Spec): Located {
  const model = spec.model ?? instance.default_model;
  if (model === null) return noDefaultModel(instance);
  if (mustList(instance) && !hasModel(instance, model)) return notListed(instance, model);
  const place = { instance: instance.name, model };
  const member = createMember({ place, params: spec.params, instance, reasons: [] });
  return { kind: "member", member };
}

/** A type without any instance. */
interface Absent {
  readonly kind: "absent";
  readonly type: ProviderType;
}

type Owner =
  | { readonly kind: "instance"; readonly instance: WorldInstance }
  | Absent
  | Extract<Located, { kind: "nowhere" }>;

function ownerOf(spec: Spec, world: Instances): Owner {
  if (spec.instance !== null) return pinnedOwner(spec.provider, spec.instance, world);
  const named = findInstance(world, spec.provider);
  if (named !== undefined) return { kind: "instance", instance: named };
  const type = providerType(spec.provider);
  if (type === undefined) return unknownInstance(spec.provider, world);
  const instance = instanceOfType(type.id, world);
  return instance === undefined ? { kind: "absent", type } : { kind: "instance", instance };
}

/** The first instance of a type without a problem, else the first at all. */
export function instanceOfType(id: string, { instances }: Instances): WorldInstance | undefined {
  const ofType = instances.filter(({ type }) => type.id === id);
  return ofType.find(({ problem }) => problem === null) ?? ofType[0];
}

function pinnedOwner(provider: string, pin: string, world: Instances): Owner {
  const instance = findInstance(world, pin);
  if (instance === undefined) return unknownInstance(pin, world);
  if (provider !== instance.type.id && provider !== instance.name.toLowerCase()) {
    const message = `instance ${quote(instance.name)} is of type ${quote(instance.type.id)}, not ${quote(provider)}; write ${quote(`${instance.name}:`)} and the model`;
    return { kind: "nowhere", code: "wrong_instance_type", message };
  }
  return { kind: "instance", instance };
}

function unknownInstance(name: string, world: Instances): Extract<Owner, { kind: "nowhere" }> {
  const known = world.instances.map((instance) => instance.name);
  const message = `there is no instance ${quote(name)}; instances: ${listed(known)}`;
  return { kind: "nowhere", code: "unknown_instance", message };
}

function absentMember(spec: Spec, type: ProviderType, world: RoutingWorld): Located {
  const problem = world.absence(type);
  const reachable = world.instances.filter((instance) => instance.problem === null);
  const detail = `${problem.message}; reachable now: ${listed(reachable.map(({ name }) => name))}`;
  const place = { instance: type.id, model: spec.model ?? type.default_model ?? "" };
  const reasons = [{ layer: 4, code: problem.code, detail, until_at: null }];
  const member = createMember({ place, params: spec.params, instance: null, reasons });
  return { kind: "member", member };
}

function noDefaultModel({ name, models }: WorldInstance): Located {
  const known = models.names.length === 0 ? "" : `; it has ${listed(models.names.slice(0, 5))}`;
  const message = `${quote(name)} has no default model: write ${quote(`${name}:`)} and a model, or set \`default_model\` in \`[providers.${name}]\`${known}`;
  return { kind: "nowhere", code: "no_default_model", message };
}

/** Whoever opened a local port first must not be sent what it never offered. */
function mustList({ source, models }: WorldInstance): boolean {
  return source === "local" && models.from === "listing";
}

function notListed({ name, models }: WorldInstance, model: string): Located {
  const near = suggest(model, models.names);
  const hint = near.length === 0 ? "" : `; nearest: ${listed(near)}`;
  const message = `local server ${quote(name)} does not list ${quote(model)}${hint}`;
  return { kind: "nowhere", code: "model_not_listed", message };
}
