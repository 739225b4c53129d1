import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";

import { parseSpec } from "../address/spec.ts";
import type { CardFacts, PriceFacts } from "../catalog/card-facts.ts";
import { PROVIDER_TYPES } from "../catalog/provider-types.ts";
import { likelyName } from "../lib/nearest.ts";
import { CardEntry, type PriceEntry } from "./card-schema.ts";
import { parseJsonTree } from "./json-document.ts";
import { parseToml } from "./parse.ts";
import { type ConfigProblem, type Finding, formatPath, type Path } from "./problem.ts";
import { absolutePath, type ExpansionSources } from "./secrets.ts";
import { isTable, type Tree } from "./tree.ts";
import { expectation, given } from "./words.ts";

/** What the operator says of models, by `instance:model` or `type:model` in lower case. */
export type CardOverrides = ReadonlyMap<string, CardFacts>;

export interface ReadCards {
  /** Empty if there are problems. */
  readonly cards: CardOverrides;
  /** What is wrong with the setting itself. */
  readonly findings: readonly Finding[];
  /** What is wrong in the file, in its order. */
  readonly problems: readonly ConfigProblem[];
}

interface CardSources extends ExpansionSources {
  /** Names of the configured instances. */
  readonly instances: readonly string[];
}

const NO_CARDS: ReadCards = { cards: new Map(), findings: [], problems: [] };

/**
 * Reads `catalog.file`, a table of cards by target: JSON if its name ends so, else TOML. Every problem
 * is found in one go.
 */
export function readCards(file: string | undefined, sources: CardSources): ReadCards {
  if (file === undefined) return NO_CARDS;
  const path = absolutePath(file, sources);
  const read = sources.readFile(path);
  if (!read.ok) {
    const message = `\`${path}\` cannot be read: ${read.reason}`;
    const hint = "give the path of a TOML or JSON file, or remove the setting";
    return { ...NO_CARDS, findings: [{ path: ["catalog", "file"], message, hint }] };
  }
  const parse = path.toLowerCase().endsWith(".json") ? parseJsonTree : parseToml;
  const parsed = parse(read.text, path);
  if (!parsed.ok) return { ...NO_CARDS, problems: [parsed.problem] };
  const { document } = parsed;
  const { cards, findings } = readEntries(document.tree, sources.instances);
  if (findings.length === 0) return { ...NO_CARDS, cards };
  const locate = ({ path: at, message, hint }: Finding) => {
    const { line, column } = document.positionOf(at);
    return { source: path, line, column, path: formatPath(at), message, hint: hint ?? null };
  };
  const problems = findings.map((finding) => locate(finding));
  const inOrder = problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
  return { ...NO_CARDS, problems: inOrder };
}

function readEntries(tree: Tree, instances: readonly string[]) {
  const heads = [...instances, ...PROVIDER_TYPES.map(({ id }) => id)];
  const cards = new Map<string, CardFacts>();
  const findings: Finding[] = [];
  for (const [target, entry] of Object.entries(tree)) {
    const wrong = [...targetFindings(target, { cards, heads }), ...entryFindings(target, entry)];
    findings.push(...wrong);
    if (wrong.length === 0 && Value.Check(CardEntry, entry)) {
      cards.set(target.toLowerCase(), factsOf(entry));
    }
  }
  return { cards, findings };
}

const EXAMPLE = '`["openai:gpt-5.4"]` in TOML';

interface Known {
  readonly cards: CardOverrides;
  readonly heads: readonly string[];
}

function targetFindings(target: string, { cards, heads }: Known): Finding[] {
  const at = [target];
  const spec = target.includes(":") ? parseSpec(target) : undefined;
  if (spec === undefined || !spec.ok) {
    const message = spec?.message ?? "names no model";
    return [{ path: at, message, hint: `name a target, \`instance:model\`, as ${EXAMPLE}` }];
  }
  const { provider, model, params, instance } = spec.spec;
  if (model === null || instance !== null || Object.keys(params).length > 0) {
    const message = "a card is of an `instance:model`, without `?` and `#`";
    return [{ path: at, message, hint: `write ${EXAMPLE}` }];
  }
  if (cards.has(target.toLowerCase())) {
    return [{ path: at, message: "stands twice, in different case", hint: "remove one of them" }];
  }
  if (heads.some((head) => head.toLowerCase() === provider.toLowerCase())) return [];
  const near = likelyName(provider, heads);
  const hint = near === undefined ? undefined : `did you mean \`${near}:…\`?`;
  return [{ path: at, message: `\`${provider}\` is no instance and no provider type`, hint }];
}

function entryFindings(target: string, entry: unknown): Finding[] {
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const error of Value.Errors(CardEntry, entry)) {
    if (seen.has(error.path)) continue;
    seen.add(error.path);
    findings.push(findingOf(target, error));
  }
  return [...findings, ...priceFindings(target, entry)];
}

function findingOf(target: string, error: ValueError): Finding {
  const keys = error.path.split("/").slice(1);
  const path = [target, ...keys];
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    return { path, message: "unknown key", hint: nearestKey(keys) };
  }
  if (error.type === ValueErrorType.ObjectRequiredProperty) {
    return { path, message: "is missing", hint: `give ${expectation(error.schema)}` };
  }
  const message = `expected ${expectation(error.schema)}, got ${given(error.value, false)}`;
  return { path, message };
}

function nearestKey(keys: Path): string {
  const [first = "", second] = keys;
  const { price, capabilities } = CardEntry.properties;
  const table = { price, capabilities, [""]: CardEntry }[second === undefined ? "" : first];
  const properties: unknown = table?.["properties"];
  const known = isTable(properties) ? Object.keys(properties) : [];
  const near = likelyName(keys.at(-1) ?? "", known);
  return near === undefined ? `known here: ${known.join(", ")}` : `did you mean \`${near}\`?`;
}

/** Nobody sells a million tokens for less; a price per token would make everything look free. */
const LEAST_USD = 0.0001;

function priceFindings(target: string, entry: unknown): Finding[] {
  const price = isTable(entry) ? entry["price"] : undefined;
  if (!isTable(price)) return [];
  return Object.entries(price).flatMap(([key, usd]): Finding[] => {
    const isTiny = typeof usd === "number" && usd > 0 && usd < LEAST_USD && key !== "request_usd";
    if (!isTiny) return [];
    const message = `${usd} looks like a price per token`;
    return [{ path: [target, "price", key], message, hint: "give USD per million tokens" }];
  });
}

function factsOf({ price, ...entry }: CardEntry): CardFacts {
  return price === undefined ? entry : { ...entry, price: priceFacts(price) };
}

function priceFacts({ long_prompt, ...price }: PriceEntry): PriceFacts {
  if (long_prompt === undefined) return price;
  const unknown = { cached_input_usd: null, cache_write_usd: null };
  return { ...price, long_prompt: { ...unknown, ...long_prompt } };
}
