import { formatPath, type Path } from "./problem.ts";

/** Config values as a layer gives them, before they are known to fit the schema. */
export type Tree = Readonly<Record<string, unknown>>;

/** A TOML table: neither a list nor a date. */
export function isTable(value: unknown): value is Tree {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

/** The value at `path`, or undefined. Inherited properties are no values. */
export function valueAt(tree: unknown, path: Path): unknown {
  let value = tree;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** A tree that holds only `value` at `path`. */
export function treeOf(path: Path, value: unknown): Tree {
  const [first = "", ...rest] = path;
  return Object.fromEntries([[first, rest.length === 0 ? value : treeOf(rest, value)]]);
}

/** Tables are merged key by key, keeping the order of `low`; anything else of `high` replaces. */
export function mergeTrees(low: Tree, high: Tree): Tree {
  const entries = new Map(Object.entries(low));
  for (const [key, value] of Object.entries(high)) {
    const below = entries.get(key);
    entries.set(key, isTable(below) && isTable(value) ? mergeTrees(below, value) : value);
  }
  return Object.fromEntries(entries);
}

/** The tree without the values at `paths`, given as `formatPath` text; a broken list goes as a whole. */
export function withoutPaths(tree: Tree, paths: ReadonlySet<string>, parent: Path = []): Tree {
  const kept = Object.entries(tree).flatMap(([key, value]): [string, unknown][] => {
    const path = [...parent, key];
    if (paths.has(formatPath(path))) return [];
    if (isTable(value)) return [[key, withoutPaths(value, paths, path)]];
    const broken =
      Array.isArray(value) &&
      value.some((_, index) => paths.has(formatPath([...path, String(index)])));
    return broken ? [] : [[key, value]];
  });
  return Object.fromEntries(kept);
}

/** Freezes a value and everything in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

export interface Leaf {
  readonly path: Path;
  readonly value: unknown;
}

/** Every value that is no table, in order; a list is one leaf, unless `inLists` asks for its elements. */
export function* leavesOf(
  tree: Tree,
  { inLists = false, parent = [] }: { inLists?: boolean; parent?: Path } = {},
): Generator<Leaf> {
  for (const [key, value] of Object.entries(tree)) {
    const path = [...parent, key];
    if (isTable(value)) yield* leavesOf(value, { inLists, parent: path });
    else if (inLists && Array.isArray(value)) {
      yield* leavesOf(Object.fromEntries(value.entries()), { inLists, parent: path });
    } else yield { path, value };
  }
}
