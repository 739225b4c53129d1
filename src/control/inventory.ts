import { type Target, targetKey } from "../address/target.ts";
import type { Config } from "../config/schema.ts";
import type { AnswerType } from "../relay/answer-types.ts";
import type { TargetHealth } from "../relay/client-request.ts";
import type { Reason } from "../routing/plan.ts";
import { knownModels } from "../routing/world.ts";
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

export interface TargetView extends TargetHealth {
  readonly instance: string;
  readonly model: string;
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
  readonly health: () => readonly TargetHealth[];
  /** What keeps a target out that has not been tried yet, such as an exclusion. */
  readonly reasons: (target: Target) => readonly Reason[];
  /** Where the credential of an instance comes from: a variable's or file's name, never its value. */
  readonly credentialFrom: (instance: Instance) => string | null;
  readonly answerType: (instance: string) => AnswerType | null;
}

export function createInventory(dependencies: InventoryDependencies): Inventory {
  const { config, health } = dependencies;
  return {
    providers: () =>
      dependencies.registry.list().map((instance) => providerView(instance, dependencies)),
    targets: () => targetViews(dependencies, health()),
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

/** Everything that was tried, and everything that is listed but has not been tried yet. */
function targetViews(
  { registry, reasons }: Pick<InventoryDependencies, "registry" | "reasons">,
  tried: readonly TargetHealth[],
): readonly TargetView[] {
  const views = new Map<string, TargetView>();
  for (const instance of registry.list()) {
    const { models } = registry.listing(instance.name);
    for (const model of knownModels(instance.configured_models, models).names) {
      const target = { instance: instance.name, model, params: {} };
      const key = targetKey(target);
      const view = untried(instance, key, reasons(target));
      views.set(key, { ...view, instance: instance.name, model });
    }
  }
  for (const health of tried) views.set(health.target, { ...health, ...partsOf(health.target) });
  return [...views.values()];
}

function partsOf(key: string): Pick<TargetView, "instance" | "model"> {
  const colon = key.indexOf(":");
  return { instance: key.slice(0, colon), model: key.slice(colon + 1) };
}

/** Health layer of what only a new credential or config can lift. */
const UNUSABLE_LAYER = 4;

function untried({ problem }: Instance, target: string, others: readonly Reason[]): TargetHealth {
  const own = problem && {
    layer: UNUSABLE_LAYER,
    code: problem.code,
    detail: problem.message,
    until_at: null,
  };
  const reasons = own ? [...others, own].toSorted((a, b) => a.layer - b.layer) : [...others];
  return {
    target,
    eligible: reasons.length === 0,
    reasons,
    in_flight: 0,
    latency_ms: null,
    score: null,
  };
}
