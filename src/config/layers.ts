import { dirname } from "node:path";

import { Value } from "@sinclair/typebox/value";

import { type CardOverrides, readCards } from "./card-file.ts";
import { checkCanary } from "./check-canary.ts";
import { checkHealth } from "./check-health.ts";
import { checkPools } from "./check-pools.ts";
import { checkProfiles } from "./check-profiles.ts";
import { checkProviders } from "./check-providers.ts";
import { checkRuntimes } from "./check-runtimes.ts";
import { checkServer } from "./check-server.ts";
import { checkVerifier } from "./check-verifier.ts";
import { type CheckInput, joinFindings, type KeyScope } from "./check.ts";
import { type EnvironmentLayer, readEnvironment } from "./environment.ts";
import { expandTree, strayVariables } from "./expand.ts";
import { type FileLayer, readFileLayer } from "./file-layer.ts";
import { sectionNames } from "./keys.ts";
import { locator } from "./locate.ts";
import type { Env } from "./paths.ts";
import { type ConfigProblem, type Finding, formatPath } from "./problem.ts";
import { type ReadFile, readSmallFile } from "./read-file.ts";
import { Config } from "./schema.ts";
import { missingFindings, shapeFindings } from "./shape.ts";
import { type Layer, sourcesOf } from "./sources.ts";
import { readStoreLayer, storedProblem, type StoreLayer } from "./store-layer.ts";
import { deepFreeze, isTable, mergeTrees, type Tree, withoutPaths } from "./tree.ts";

export interface LoadRequest {
  /** The config file; null for none. */
  readonly path: string | null;
  readonly env: Env;
  /** Stored settings by dotted key, as JSON text. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Scopes for which a stored key exists. */
  readonly keyScopes: ReadonlySet<KeyScope>;
  /** Names of the profiles in the store; undefined where nobody has looked. */
  readonly storedProfiles?: ReadonlySet<string>;
  /** Where the listener is already bound; the keys this needs must not go while it is. */
  readonly boundHost?: string;
  readonly readFile?: ReadFile;
}

export interface LoadedConfig {
  /** Frozen; secrets are in place. */
  readonly config: Config;
  /** By dotted key: the layer that gave its value. */
  readonly sources: Readonly<Record<string, Layer>>;
  readonly warnings: readonly ConfigProblem[];
  /** What `catalog.file` says of models. */
  readonly cards: CardOverrides;
}

export type LoadResult =
  | ({ readonly ok: true } & LoadedConfig)
  | {
      readonly ok: false;
      /** Never empty; in the order of the file. */
      readonly problems: readonly ConfigProblem[];
      readonly warnings: readonly ConfigProblem[];
    };

interface Layers {
  readonly file: FileLayer;
  readonly environment: EnvironmentLayer;
  readonly store: StoreLayer;
}

/** Default < file < environment < store, checked as a whole; every problem is found in one go. */
export function loadConfig(request: LoadRequest): LoadResult {
  const file = readFileLayer(request.path, request.readFile ?? readSmallFile);
  if (!file.ok) return { ok: false, problems: [file.problem], warnings: [] };
  const environment = readEnvironment(request.env, file.tree);
  return combine({ file, environment, store: readStoreLayer(request.overrides) }, request);
}

function combine(layers: Layers, request: LoadRequest): LoadResult {
  const { file, environment, store } = layers;
  const locate = locator(layers);
  const shape = [
    ...shapeFindings(file.tree),
    ...strayVariables(file.tree),
    ...shapeFindings(environment.tree),
  ];
  const merged = mergeTrees(mergeTrees(file.tree, environment.tree), store.tree);
  const sources = {
    env: request.env,
    readFile: request.readFile ?? readSmallFile,
    directory: dirname(request.path ?? "/"),
  };
  const expanded = expandTree(withoutPaths(merged, pathsOf(shape)), sources);
  const { config, missing } = fill(expanded.tree);
  const broken = pathsOf([...shape, ...expanded.findings]);
  const incomplete = pathsOf(missing.map(owner));
  const checked = runChecks({
    config,
    env: request.env,
    keyScopes: request.keyScopes,
    storedProfiles: request.storedProfiles,
    hosts: [...new Set([config.server.host, request.boundHost ?? config.server.host])],
    isBroken: (path) =>
      path.some((_, index) => {
        const part = formatPath(path.slice(0, index + 1));
        return broken.has(part) || incomplete.has(part);
      }),
  });
  const findings = [...shape, ...expanded.findings, ...missing.filter(isGone(broken))];
  const instances = Object.keys(isTable(merged["providers"]) ? merged["providers"] : {});
  const cards = readCards(config.catalog.file, { ...sources, instances });
  const later = [...unless(pathsOf(findings), checked.problems), ...cards.findings];
  const stale = later.find(({ path }) => store.keys.has(formatPath(path)));
  if (stale !== undefined) return withoutOverride(stale, layers, request);

  const warnings = [
    ...environment.warnings.map(variableProblem),
    ...store.warnings,
    ...[...file.warnings, ...unless(broken, checked.warnings)].map(locate),
  ];
  const problems = [
    ...environment.problems.map(variableProblem),
    ...[...findings, ...later].map(locate),
  ];
  if (problems.length + cards.problems.length > 0) {
    return { ok: false, problems: [...problems.toSorted(inOrder), ...cards.problems], warnings };
  }
  const frozen = deepFreeze(withPlainMaps(config));
  const origins = deepFreeze(sourcesOf(frozen, layers));
  return { ok: true, config: frozen, sources: origins, warnings, cards: cards.cards };
}

function runChecks(input: CheckInput) {
  return joinFindings([
    checkServer(input),
    checkProviders(input),
    checkPools(input),
    checkHealth(input),
    checkProfiles(input),
    checkVerifier(input),
    checkCanary(input),
    checkRuntimes(input),
  ]);
}

/** Defaults filled in. What is missing without a default is reported, and filled so that checks can go on. */
function fill(tree: Tree): { readonly config: Config; readonly missing: readonly Finding[] } {
  const sections = Object.fromEntries(sectionNames().map((name) => [name, {}]));
  const filled = Value.Default(Config, structuredClone(mergeTrees(sections, tree)));
  if (Value.Check(Config, filled)) return { config: filled, missing: [] };
  const missing = missingFindings(filled);
  if (missing.length === 0) throw new Error("a checked config does not fit its schema");
  const { config } = fill(withoutPaths(tree, pathsOf(missing.map(owner))));
  return { config, missing };
}

/** The named table that lacks a key. */
function owner({ path }: Finding): Pick<Finding, "path"> {
  return { path: path.slice(0, 2) };
}

/** A stored value that no longer fits, such as a pool that is gone, must not stop the router. */
function withoutOverride(stale: Finding, layers: Layers, request: LoadRequest): LoadResult {
  const key = formatPath(stale.path);
  const { store } = layers;
  const keys = new Set([...store.keys].filter((other) => other !== key));
  const warning = storedProblem(key, `${stale.message}; the stored value is not used`);
  return combine(
    {
      ...layers,
      store: {
        tree: withoutPaths(store.tree, new Set([key])),
        keys,
        warnings: [...store.warnings, warning],
      },
    },
    request,
  );
}

function variableProblem({
  variable,
  message,
  hint,
}: EnvironmentLayer["problems"][number]): ConfigProblem {
  return { source: variable, line: null, column: null, path: "", message, hint: hint ?? null };
}

function pathsOf(findings: readonly Pick<Finding, "path">[]): ReadonlySet<string> {
  return new Set(findings.map(({ path }) => formatPath(path)));
}

/** A value that is wrong already is not worth a second message. */
function unless(paths: ReadonlySet<string>, findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ path }) => !paths.has(formatPath(path)));
}

/** Tells what was never given from what is missing only because something in it was wrong. */
function isGone(paths: ReadonlySet<string>): (finding: Finding) => boolean {
  return ({ path }) => {
    const dotted = formatPath(path);
    return ![...paths].some((wrong) => wrong === dotted || wrong.startsWith(`${dotted}.`));
  };
}

function inOrder(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? Infinity) - (b.line ?? Infinity) || (a.column ?? 0) - (b.column ?? 0) || 0;
}

/** Maps by name that hold nothing inherited: `constructor` is no pool. */
function withPlainMaps(config: Config): Config {
  return {
    ...config,
    providers: plainMap(config.providers),
    pools: plainMap(config.pools),
    aliases: plainMap(config.aliases),
    profiles: plainMap(config.profiles),
    exclusions: plainMap(config.exclusions),
    notifications: plainMap(config.notifications),
  };
}

function plainMap<T>(map: Record<string, T>): Record<string, T> {
  const plain: Record<string, T> = Object.create(null);
  return Object.assign(plain, map);
}
