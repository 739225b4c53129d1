import { type Target, targetKey } from "../address/target.ts";
import type { CardFacts } from "../catalog/card-facts.ts";
import { type BilledUsage, costOf } from "../catalog/cost.ts";
import { findCard } from "../catalog/find-card.ts";
import {
  type CardLayer,
  type CardSources,
  mergeCard,
  SELF_HOSTED_FACTS,
  type SourcedCard,
} from "../catalog/merge-card.ts";
import type { ModelCard } from "../catalog/model-card.ts";
import { isSelfHosted } from "../catalog/self-hosted.ts";
import type { CardOverrides } from "../config/card-file.ts";
import type { Clock } from "../lib/clock.ts";
import type { TokenUsage } from "../protocol/openai/usage.ts";
import type { CostOf } from "../relay/attempt-entry.ts";
import { UNKNOWN_CARD } from "../routing/signals.ts";
import { knownModels } from "../routing/world.ts";
import type { Instance, InstanceRegistry, Listing } from "../upstream/instance.ts";

/** Prices change on the hour at the earliest. */
const HOUR_MS = 3_600_000;
/** Clients may ask for any name at an instance; beyond this its cards are worked out anew. */
const MAX_CARDS = 4096;

/** One model as the catalogue shows it. */
export interface CatalogRow {
  readonly target: string;
  readonly instance: string;
  readonly model: string;
  readonly card: ModelCard;
  readonly sources: CardSources;
  /** The vendor's page the bundled price was taken from. */
  readonly reference: string | null;
}

export interface Catalog {
  /** What is known of a target now. Cheap: it is asked for every candidate of every plan. */
  cardOf(target: Pick<Target, "instance" | "model">): ModelCard;
  /** What a call cost, in USD: the card of the target that served it counts. */
  readonly costOf: CostOf;
  /** Every model that is listed, configured or described by the operator, in the order of instances. */
  rows(): readonly CatalogRow[];
}

export interface CatalogDependencies {
  readonly registry: InstanceRegistry;
  /** The operator's own cards. */
  readonly overrides: () => CardOverrides;
  readonly clock: Clock;
}

interface KnownCard extends SourcedCard {
  readonly reference: string | null;
}

/** The cards of one instance for as long as nothing they follow from has changed. */
interface Shelf {
  readonly instance: Instance;
  readonly listing: Listing;
  readonly overrides: CardOverrides;
  readonly hour: number;
  readonly cards: Map<string, KnownCard>;
}

export function createCatalog({ registry, overrides, clock }: CatalogDependencies): Catalog {
  const shelves = new Map<string, Shelf>();

  function shelfOf(instance: Instance): Shelf {
    const hour = Math.floor(clock.now() / HOUR_MS);
    const listing = registry.listing(instance.name);
    const own = overrides();
    const shelf = shelves.get(instance.name);
    const isCurrent =
      shelf?.instance === instance &&
      shelf.listing === listing &&
      shelf.overrides === own &&
      shelf.hour === hour;
    if (isCurrent) return shelf;
    const made = { instance, listing, overrides: own, hour, cards: new Map() };
    shelves.set(instance.name, made);
    return made;
  }

  function knownCard(instance: Instance, model: string): KnownCard {
    const shelf = shelfOf(instance);
    const known = shelf.cards.get(model);
    if (known !== undefined) return known;
    const made = makeCard(shelf, model);
    if (shelf.cards.size >= MAX_CARDS) shelf.cards.clear();
    shelf.cards.set(model, made);
    return made;
  }

  return {
    cardOf({ instance: name, model }) {
      const instance = registry.get(name);
      return instance === undefined ? UNKNOWN_CARD : knownCard(instance, model).card;
    },
    costOf({ target, instance: name }, usage) {
      const instance = registry.get(name);
      if (instance === undefined) return null;
      const { card } = knownCard(instance, target.slice(name.length + 1));
      return costOf(usage && billed(usage, instance), card);
    },
    rows: () =>
      registry.list().flatMap((instance) =>
        modelsOf(shelfOf(instance)).map((model) => {
          const { card, sources, reference } = knownCard(instance, model);
          const target = targetKey({ instance: instance.name, model });
          return { target, instance: instance.name, model, card, sources, reference };
        }),
      ),
  };
}

/** Provider types whose usage names its cost in USD. */
const COST_IN_USD: ReadonlySet<string> = new Set(["openrouter"]);

function billed(usage: TokenUsage, { type }: Instance): BilledUsage {
  const { cost } = usage;
  return cost !== undefined && COST_IN_USD.has(type.id) ? { ...usage, cost_usd: cost } : usage;
}

function makeCard({ instance, listing, overrides, hour }: Omit<Shelf, "cards">, model: string) {
  const { name, local } = instance;
  const type = instance.type.id;
  const bundled = findCard({ type, model }, hour * HOUR_MS);
  const layers: readonly (CardLayer | undefined)[] = [
    layer("override", overrides.get(targetKey({ instance: name, model }).toLowerCase())),
    layer("override", overrides.get(targetKey({ instance: type, model }).toLowerCase())),
    layer("self-hosted", isSelfHosted({ type, model, local }) ? SELF_HOSTED_FACTS : undefined),
    layer("listing", listing.facts?.get(model)),
    layer("bundled", bundled?.facts),
  ];
  const merged = mergeCard(layers.filter((known) => known !== undefined));
  const isBundled = merged.sources.input_usd === "bundled";
  return { ...merged, reference: isBundled ? (bundled?.reference ?? null) : null };
}

function layer(source: CardLayer["source"], facts: CardFacts | undefined): CardLayer | undefined {
  return facts && { source, facts };
}

/** The names an instance is known to serve, then those that only the operator's cards name. */
function modelsOf({ instance, listing, overrides }: Omit<Shelf, "cards">): readonly string[] {
  const listed = listing.at === null ? null : listing.models;
  const names = new Set(knownModels(instance.configured_models, listed).names);
  const seen = new Set(Array.from(names, (name) => name.toLowerCase()));
  const own = `${instance.name.toLowerCase()}:`;
  for (const target of overrides.keys()) {
    const model = target.slice(own.length);
    if (target.startsWith(own) && !seen.has(model)) names.add(model);
  }
  return [...names];
}
