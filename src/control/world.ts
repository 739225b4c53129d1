import { parseSpec } from "../address/spec.ts";
import type { Spec, Target } from "../address/target.ts";
import type { ModelCard } from "../catalog/model-card.ts";
import type { CardOverrides } from "../config/card-file.ts";
import type { Config } from "../config/schema.ts";
import type { Clock } from "../lib/clock.ts";
import { memoize, memoizeByName } from "../lib/memoize.ts";
import { type Random, seedFrom } from "../lib/random.ts";
import type { Health } from "../relay/health-state.ts";
import type { RoutingMemory } from "../relay/routing-memory.ts";
import {
  knownModels,
  type RoutingWorld,
  type WorldInstance,
  type WorldPool,
} from "../routing/world.ts";
import { absenceProblem } from "../upstream/configured.ts";
import type { Instance, InstanceRegistry, Listing } from "../upstream/instance.ts";
import type { Balances } from "./balances.ts";
import type { Catalog } from "./catalog.ts";
import type { Preferences } from "./preferences.ts";

interface WorldDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly registry: InstanceRegistry;
  readonly config: () => Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly health: Pick<Health, "look" | "load">;
  readonly memory: Pick<RoutingMemory, "cursor" | "pin">;
  readonly preferences: Pick<Preferences, "profiles" | "allowlist">;
  readonly balances: Pick<Balances, "balanceOf">;
  readonly catalog: Pick<Catalog, "cardOf">;
  /** The operator's own model cards. */
  readonly cards: () => CardOverrides;
}

/** Returns what routing may know right now. What only a change of config or fleet alters is made once. */
export function createWorld(dependencies: WorldDependencies): () => RoutingWorld {
  const { clock, random, registry, config, env, health, memory, preferences } = dependencies;
  const { balances } = dependencies;
  const instances = createInstanceList(registry);
  const cards = createCardMemory(dependencies);
  const pools = memoize(poolsOf);
  return () => {
    const current = config();
    const { default_profile, default_pool } = current.routing;
    const now = clock.now();
    const known = instances();
    const cardOf = cards(known, now);
    const reasonsOf = health.look();
    const balanceOf = memoizeByName(balances.balanceOf);
    return {
      now,
      seed: seedFrom(random),
      instances: known,
      pools: pools(current),
      lanes: NO_LANES,
      profiles: preferences.profiles(),
      default_profile: default_profile ?? null,
      aliases: current.aliases,
      default_pool: default_pool ?? null,
      allowlist: preferences.allowlist(),
      absence: (type) => absenceProblem(type, { config: current, env }),
      eligibility: (target, { pinned, stream }) => reasonsOf(target, pinned, stream),
      signals: (target) => {
        const { latency_ms, in_flight } = health.load(target);
        const balance = balanceOf(target.instance);
        return { latency_ms, in_flight, balance, card: cardOf(target) };
      },
      cursor: memory.cursor,
      pin: memory.pin,
    };
  };
}

const NO_LANES: readonly string[] = [];

/** Prices change on the hour at the earliest. */
const HOUR_MS = 3_600_000;

/**
 * Remembers the card of each target until something changes that cards follow from: a plan asks for
 * the cards of all its members, and most pools stay as they are for hours.
 */
function createCardMemory({ catalog, cards }: Pick<WorldDependencies, "catalog" | "cards">) {
  let from: CardSources | undefined;
  let known = new WeakMap<Target, ModelCard>();
  const learn = (target: Target): ModelCard => {
    const card = catalog.cardOf(target);
    known.set(target, card);
    return card;
  };
  const cardOf = (target: Target): ModelCard => known.get(target) ?? learn(target);
  return (instances: readonly WorldInstance[], now: number) => {
    const overrides = cards();
    const hour = Math.floor(now / HOUR_MS);
    if (from?.instances !== instances || from.overrides !== overrides || from.hour !== hour) {
      from = { instances, overrides, hour };
      known = new WeakMap();
    }
    return cardOf;
  };
}

/** What cards follow from. */
interface CardSources {
  readonly instances: readonly WorldInstance[];
  readonly overrides: CardOverrides;
  readonly hour: number;
}

interface Known {
  readonly instance: Instance;
  readonly listing: Listing;
  readonly view: WorldInstance;
}

/** The same list for as long as neither an instance nor a listing was replaced. */
function createInstanceList(registry: InstanceRegistry): () => readonly WorldInstance[] {
  let known: readonly Known[] = [];
  let views: readonly WorldInstance[] = [];
  return () => {
    const now = registry.list();
    const isSame = (instance: Instance, at: number) =>
      known[at]?.instance === instance && known[at].listing === registry.listing(instance.name);
    if (now.length !== known.length || !now.every(isSame)) {
      known = now.map((instance) => {
        const listing = registry.listing(instance.name);
        return { instance, listing, view: worldInstance(instance, listing) };
      });
      views = known.map(({ view }) => view);
    }
    return views;
  };
}

function worldInstance(instance: Instance, listing: Listing): WorldInstance {
  const { name, type, source, problem, default_model, configured_models } = instance;
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
  const entries = Object.entries(pools).map(([name, { strategy, affinity, targets }]) => {
    const members = specsOf(targets);
    return [name, { strategy: strategy ?? routing.default_strategy, affinity, members }] as const;
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
