import type { Aliases } from "../address/aliases.ts";
import type { Spec, Target } from "../address/target.ts";
import type { ProviderType } from "../catalog/provider-type.ts";
import { type Dialect, wireFor } from "../protocol/dialect.ts";
import type { TalkDialect, Untranslatable } from "../protocol/translate/translation.ts";
import type { Pin } from "./affinity.ts";
import type { Allowlist } from "./allowlist.ts";
import type { Reason } from "./plan.ts";
import type { NamedProfile, Profile } from "./profile.ts";
import type { TargetSignals } from "./signals.ts";
import type { StrategyName } from "./strategies/strategy.ts";

/** Why an instance cannot serve at all, in words a person can act on. */
interface Problem {
  readonly code: string;
  readonly message: string;
}

/** The models an instance is known to serve; `unknown` says nothing, an empty list says none. */
export interface KnownModels {
  readonly from: "config" | "listing" | "unknown";
  readonly names: readonly string[];
}

export interface WorldInstance {
  readonly name: string;
  readonly type: ProviderType;
  readonly source: "config" | "runtime" | "environment" | "local" | "builtin";
  readonly models: KnownModels;
  /** From the config, else the catalogue. */
  readonly default_model: string | null;
  readonly problem: Problem | null;
}

export interface WorldPool {
  readonly strategy: StrategyName;
  /** Whether a conversation stays with the member that answered it first. */
  readonly affinity: "session" | "none";
  /** As declared, duplicates included. */
  readonly members: readonly Spec[];
}

/** What of a request health asks for. */
export interface CallKind {
  /** There is no pool to turn to, which lifts what we impose ourselves. */
  readonly pinned: boolean;
  /** The answer is to be a stream, which not every half-open breaker lets try. */
  readonly stream: boolean;
}

/**
 * All that routing may know, as one value; the plan is a function of it. `instances` and `pools` are
 * the same objects for as long as nothing in them changes, so that what follows from them is worked
 * out once.
 */
export interface RoutingWorld {
  /** Epoch ms. */
  readonly now: number;
  /** What chance decides in this plan follows from it: an integer below 2^32. */
  readonly seed: number;
  /** In the order bare names are looked up: file, runtimes, environment, local, builtin. */
  readonly instances: readonly WorldInstance[];
  readonly pools: ReadonlyMap<string, WorldPool>;
  readonly lanes: readonly string[];
  readonly profiles: ReadonlyMap<string, Profile>;
  /** Decides for every request that names no profile and whose key has none. */
  readonly default_profile: string | null;
  readonly aliases: Aliases;
  readonly default_pool: string | null;
  /** Null lets every target serve. */
  readonly allowlist: Allowlist | null;
  /** Why a known provider type has no instance, and what would make one. */
  readonly absence: (type: ProviderType) => Problem;
  /** Health layers 1 to 6 of a target that exists; none means eligible. */
  readonly eligibility: (target: Target, call: CallKind) => readonly Reason[];
  /** What orders a target that exists. */
  readonly signals: (target: Target) => TargetSignals;
  /** How many plans of the pool have taken their turn so far. */
  readonly cursor: (pool: string) => number;
  /** Where a session's conversation is held, null if nowhere. */
  readonly pin: (pool: string, session: string) => Pin | null;
}

/**
 * What of a request a model cannot be told in the dialect of its provider; null if nothing stands in
 * the way. Asked only where that is not the client's own.
 */
export type FindUntranslatable = (wire: TalkDialect, model: string) => Untranslatable | null;

/** What a request is resolved against. */
export interface Scene {
  readonly world: RoutingWorld;
  readonly dialect: Dialect;
  readonly untranslatable: FindUntranslatable;
  /** The profile of a request whose model string names none. */
  readonly profile: NamedProfile | null;
}

/** Joins the configured list, where `*` stands for the upstream's own, with the last good listing. */
export function knownModels(
  configured: readonly string[] | null,
  listed: readonly string[] | null,
): KnownModels {
  if (configured !== null && !configured.includes("*"))
    return { from: "config", names: configured };
  return listed === null ? { from: "unknown", names: [] } : { from: "listing", names: listed };
}

/** What a name is looked up among. */
export type Instances = Pick<RoutingWorld, "instances">;

/** Whether anything but the built-in simulator is there. */
export function realInstances({ instances }: Instances): readonly WorldInstance[] {
  return instances.filter(({ source }) => source !== "builtin");
}

/** The instance called `name`, in any case. */
export function findInstance({ instances }: Instances, name: string): WorldInstance | undefined {
  const folded = name.toLowerCase();
  return instances.find((instance) => instance.name.toLowerCase() === folded);
}

/** Whether the instance is set up and can be sent requests of the dialect, translated or not. */
export function canServe(instance: WorldInstance, dialect: Dialect): boolean {
  return instance.problem === null && wireFor(dialect, instance.type.paths) !== null;
}

/** Whether the known list has the model; Ollama lists `name:latest` for what it answers to as `name`. */
export function hasModel({ models, type }: WorldInstance, model: string): boolean {
  if (models.names.includes(model)) return true;
  return type.id === "ollama" && models.names.includes(`${model}:latest`);
}
