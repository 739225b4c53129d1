import type { CapabilityFacts, CardFacts } from "./card-facts.ts";
import type { BundledModel, CardGroup } from "./cards/card-group.ts";
import { CARD_GROUPS } from "./cards/card-groups.ts";
import type { Capabilities } from "./model-card.ts";
import { priceAt } from "./rates-at.ts";

/** What the router's own catalogue knows of a model. */
export interface FoundCard {
  readonly facts: CardFacts;
  /** The vendor's page of prices; null where the price needs no page. */
  readonly reference: string | null;
}

interface Entry {
  readonly model: BundledModel;
  readonly group: CardGroup;
}

const BY_TYPE: ReadonlyMap<string, ReadonlyMap<string, Entry>> = new Map(
  CARD_GROUPS.map((group) => [group.type, byName(group)]),
);

function byName(group: CardGroup): ReadonlyMap<string, Entry> {
  return new Map(
    group.models.flatMap((model) =>
      model.names.map((name) => [name.toLowerCase(), { model, group }] as const),
    ),
  );
}

/** A snapshot's date at the end of a name, as in `gpt-5.4-2026-03-05` or `claude-haiku-4-5-20251001`. */
const SNAPSHOT = /[-@](\d{4}-\d{2}-\d{2}|20\d{6})$/;

/**
 * The card of a model under its vendor's own API, by its exact name, else by that name without a
 * snapshot's date. `now`, epoch ms, matters where prices change with time.
 */
export function findCard(
  { type, model }: { readonly type: string; readonly model: string },
  now: number,
): FoundCard | undefined {
  const name = model.toLowerCase();
  if (type === "openrouter" && name.endsWith(":free")) return FREE;
  const entries = BY_TYPE.get(type);
  const entry = entries?.get(name) ?? entries?.get(name.replace(SNAPSHOT, ""));
  return entry && { facts: factsOf(entry, now), reference: entry.group.source };
}

const FREE: FoundCard = {
  facts: { price: { input_usd: 0, output_usd: 0, cached_input_usd: 0, cache_write_usd: 0 } },
  reference: null,
};

function factsOf({ model, group }: Entry, now: number): CardFacts {
  const price = priceAt(model, now);
  return {
    ...(model.window !== undefined && { window_tokens: model.window }),
    ...(model.output !== undefined && { max_output_tokens: model.output }),
    ...(price && { price }),
    capabilities: capabilitiesOf(model),
    as_of: model.as_of ?? group.as_of,
  };
}

function capabilitiesOf({ can = [], cannot = [] }: BundledModel): CapabilityFacts {
  const known: Partial<Record<keyof Capabilities, boolean>> = {};
  for (const name of can) known[name] = true;
  for (const name of cannot) known[name] = false;
  return known;
}
