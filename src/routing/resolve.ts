import { type AliasReach, resolveAlias } from "../address/aliases.ts";
import { quote } from "../address/spec-fault.ts";
import { readWireModel, type WireModel, wireText } from "../address/wire-model.ts";
import { providerType } from "../catalog/provider-types.ts";
import { assertNever } from "../lib/assert-never.ts";
import { memoize, memoizeRecent } from "../lib/memoize.ts";
import { resolveAuto } from "./auto.ts";
import { type Destination, only, type Refusal, refuse } from "./destination.ts";
import { listingInstances, locateBare } from "./locate-bare.ts";
import { instanceOfType, locateSpec } from "./locate-spec.ts";
import { hasMembers } from "./params.ts";
import { poolDestination } from "./pool-destination.ts";
import { namedProfile } from "./profile.ts";
import { unknownName } from "./unknown-name.ts";
import { findInstance, type Instances, type Scene } from "./world.ts";

/** Finds where a `model` string leads, through aliases. */
export function resolve(model: string, scene: Scene): Destination | Refusal {
  const { aliases } = scene.world;
  const written = readModel(model, scene.world);
  if (!hasMembers(aliases)) return resolveWire(written, scene);
  const found = resolveAlias(aliases, wireText(model), reachOf(written));
  switch (found.kind) {
    case "none":
      return resolveWire(written, scene);
    case "loop": {
      const chain = found.chain.map(quote).join(" → ");
      return refuse(
        "model_not_found",
        `aliases lead in a circle: ${chain}; fix \`[aliases]\``,
        "model",
      );
    }
    case "alias": {
      const resolved = resolveWire(readModel(found.model, scene.world), scene);
      if (resolved.kind === "refuse") {
        const message = `alias ${quote(found.alias)} leads to ${quote(found.model)}: ${resolved.message}`;
        return { ...resolved, message };
      }
      const note = `alias ${quote(found.alias)} leads to ${quote(found.model)}`;
      return { ...resolved, notes: [note, ...resolved.notes] };
    }
    default:
      return assertNever(found);
  }
}

/** A catch-all alias must not swallow what the client addressed by kind or in full. */
function reachOf(written: WireModel): AliasReach {
  if (written.kind === "bare") return "all";
  return written.kind === "spec" || written.kind === "invalid" ? "prefix" : "exact";
}

/** Reads a model string against the names there are; a listed model wins over a provider it is named like. */
export function readModel(model: string, { instances }: Instances): WireModel {
  return model.length > MAX_REMEMBERED ? read(model, { instances }) : readAmong(instances)(model);
}

/** Clients use the same few names; a stranger may make up any. */
const MAX_NAMES = 512;
/** Characters of a name that is worth being remembered. */
const MAX_REMEMBERED = 256;
const readAmong = memoize((instances: Instances["instances"]) =>
  memoizeRecent((model) => read(model, { instances }), MAX_NAMES),
);

function read(model: string, world: Instances): WireModel {
  const wire = readWireModel(
    model,
    (name) => findInstance(world, name) !== undefined || providerType(name) !== undefined,
  );
  if (wire.kind !== "spec") return wire;
  const { provider, model: named } = wire.spec;
  const hasInstance =
    findInstance(world, provider) !== undefined || instanceOfType(provider, world) !== undefined;
  if (named !== null && hasInstance) return wire;
  // Local servers list models such as `mistral` and `mistral:7b`.
  return listingInstances(wire.text, world).length > 0 ? { kind: "bare", name: wire.text } : wire;
}

function resolveWire(wire: WireModel, scene: Scene): Destination | Refusal {
  switch (wire.kind) {
    case "auto":
      return resolveAuto(scene);
    case "pool":
      return resolvePool(wire.name, scene, "model");
    case "lane":
      return unknownName({
        kind: "lane",
        name: wire.name,
        known: scene.world.lanes,
        param: "model",
      });
    case "profile":
      return resolveProfile(wire.name, scene);
    case "bare":
      return locateBare(wire.name, scene);
    case "invalid":
      return refuse("invalid_request", `cannot read \`model\`: ${wire.message}`, "model");
    case "spec": {
      const located = locateSpec(wire.spec, scene.world);
      return located.kind === "member"
        ? only(located.member)
        : refuse("model_not_found", located.message, "model");
    }
    default:
      return assertNever(wire);
  }
}

/** `auto` under the profile called `name`; one that the request's block names comes before it. */
function resolveProfile(name: string, scene: Scene): Destination | Refusal {
  if (scene.profile?.chosen_by === "request") {
    const destination = resolveAuto(scene);
    if (destination.kind === "refuse") return destination;
    const note = `${quote(`profile:${name}`)} is ignored: \`veriroute.profile\` comes first`;
    return { ...destination, notes: [note, ...destination.notes] };
  }
  const profile = namedProfile(name, scene.world, "model");
  if ("kind" in profile) return profile;
  const destination = resolveAuto({ ...scene, profile });
  return destination.kind === "refuse" ? destination : { ...destination, profile };
}

/** The pool called `name`, exactly. */
export function resolvePool(name: string, scene: Scene, param: string): Destination | Refusal {
  const pool = scene.world.pools.get(name);
  if (pool !== undefined) return poolDestination([name, pool], scene.world);
  return unknownName({ kind: "pool", name, known: [...scene.world.pools.keys()], param });
}
