import { targetKey } from "../address/target.ts";
import type { Config } from "../config/schema.ts";
import type { AnswerType } from "../relay/answer-types.ts";
import type { TargetLoad } from "../relay/client-request.ts";
import { knownTargets } from "../routing/known-targets.ts";
import type { Reason } from "../routing/plan.ts";
import { knownModels, type RoutingWorld } from "../routing/world.ts";
import type { Instance, InstanceRegistry, Listing } from "../upstream/instance.ts";

/** An instance as people may see it: never the credential, only whether there is one. */
export interface ProviderView {
  readonly name: string;
  readonly type: string;
  readonly source: Instance["source"];
  /** Without userinfo. */
  readonly base_url: string;
  readonly local: boolean;
  readonly credential: CredentialView;
  /** Names of the configured headers; their values may be secret. */
  readonly headers: readonly string[];
  readonly default_model: string | null;
  readonly models: ModelsView;
  readonly timeouts: Instance["timeouts"];
  /** What its latest good answer said of its encoding; null before that. */
  readonly answers: AnswerType | null;
  readonly problem: Instance["problem"];
}

export interface CredentialView {
  readonly set: boolean;
  /** The variable or file it comes from, such as `OPENAI_API_KEY`, if that is known. */
  readonly from: string | null;
}

export interface ModelsView {
  /** `configured` lists never change; the others are what the upstream said. */
  readonly state: "configured" | Listing["state"];
  readonly count: number;
  readonly listed_at: number | null;
}

export interface TargetView {
  /** Its key, `instance:model`. */
  readonly target: string;
  readonly instance: string;
  readonly model: string;
  readonly eligible: boolean;
  /** Layers 0 to 6, as far as they hold for any request; the firmest first. */
  readonly reasons: readonly Reason[];
  readonly in_flight: number;
  readonly latency_ms: number | null;
  readonly score: number | null;
}

export interface PoolView {
  readonly name: string;
  readonly strategy: string;
  /** Members as the config spells them. */
  readonly targets: readonly string[];
}

/** What the router knows of the world, as values that are safe to show. */
export interface Inventory {
  providers(): readonly ProviderView[];
  targets(): readonly TargetView[];
  pools(): readonly PoolView[];
}

export interface InventoryDependencies {
  readonly registry: InstanceRegistry;
  readonly config: () => Config;
  readonly world: () => RoutingWorld;
  readonly loads: () => readonly TargetLoad[];
  /** Where the credential of an instance comes from: a variable's or file's name, never its value. */
  readonly credentialFrom: (instance: Instance) => string | null;
  readonly answerType: (instance: string) => AnswerType | null;
}

export function createInventory(dependencies: InventoryDependencies): Inventory {
  const { config, world, loads } = dependencies;
  return {
    providers: () =>
      dependencies.registry.list().map((instance) => providerView(instance, dependencies)),
    targets: () => targetViews(world(), loads()),
    pools: () =>
      Object.entries(config().pools).map(([name, { strategy, targets }]) => ({
        name,
        strategy: strategy ?? config().routing.default_strategy,
        targets,
      })),
  };
}

function providerView(
  instance: Instance,
  { registry, credentialFrom, answerType }: InventoryDependencies,
): ProviderView {
  const { name, type, source, local, credential, headers, default_model, timeouts, problem } =
    instance;
  const set = credential !== null;
  return {
    name,
    type: type.id,
    source,
    base_url: withoutUserinfo(instance.base_url),
    local,
    credential: { set, from: set ? credentialFrom(instance) : null },
    headers: Object.keys(headers),
    default_model,
    models: modelsView(instance, registry.listing(name)),
    timeouts,
    answers: answerType(name),
    problem,
  };
}

function withoutUserinfo(base_url: string): string {
  return base_url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, "$1");
}

function modelsView({ configured_models }: Instance, listing: Listing): ModelsView {
  const { from, names } = knownModels(configured_models, listing.models);
  return from === "config"
    ? { state: "configured", count: names.length, listed_at: null }
    : { state: listing.state, count: names.length, listed_at: listing.at };
}

/** Everything there is, with what is against it and how busy it is. */
function targetViews(world: RoutingWorld, loads: readonly TargetLoad[]): readonly TargetView[] {
  const tried = new Map(loads.map((load) => [targetKey(load.target), load]));
  const targets = loads.map(({ target }) => target);
  return knownTargets(world, targets).map(({ key, instance, model, reasons }) => {
    const { in_flight, latency_ms } = tried.get(key) ?? IDLE;
    const eligible = reasons.length === 0;
    return { target: key, instance, model, eligible, reasons, in_flight, latency_ms, score: null };
  });
}

const IDLE: Omit<TargetLoad, "target"> = { in_flight: 0, latency_ms: null };
