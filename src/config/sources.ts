import type { EnvironmentLayer } from "./environment.ts";
import type { FileLayer } from "./file-layer.ts";
import { configKeys } from "./keys.ts";
import { formatPath, type Path } from "./problem.ts";
import type { Config } from "./schema.ts";
import type { StoreLayer } from "./store-layer.ts";
import { leavesOf, valueAt } from "./tree.ts";

/** Where a value comes from; each beats the ones before it. */
export type Layer = "default" | "file" | "environment" | "store";

interface Layers {
  readonly file: FileLayer;
  readonly environment: EnvironmentLayer;
  readonly store: StoreLayer;
}

/** The layer of every value and of every key that has none, by dotted key. */
export function sourcesOf(config: Config, layers: Layers): Readonly<Record<string, Layer>> {
  const fixed = configKeys()
    .map(({ path }) => path)
    .filter((path) => !path.includes("*"));
  const paths = [...fixed, ...[...leavesOf(config)].map(({ path }) => path)];
  return Object.fromEntries(paths.map((path) => [formatPath(path), layerOf(path, layers)]));
}

function layerOf(path: Path, { file, environment, store }: Layers): Layer {
  if (store.keys.has(formatPath(path))) return "store";
  if (valueAt(environment.tree, path) !== undefined) return "environment";
  return valueAt(file.tree, path) === undefined ? "default" : "file";
}

/** Dotted keys whose values differ between two configs, in the order of the schema. */
export function changedKeys(before: Config, after: Config): readonly string[] {
  const [old, fresh] = [valuesOf(before), valuesOf(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter(
    (key) => old.get(key) !== fresh.get(key),
  );
}

function valuesOf(config: Config): ReadonlyMap<string, string> {
  return new Map(
    [...leavesOf(config)].map(({ path, value }) => [formatPath(path), JSON.stringify(value)]),
  );
}
