import { configKeys } from "./keys.ts";
import { type ConfigProblem, formatPath } from "./problem.ts";
import { shapeFindings } from "./shape.ts";
import { mergeTrees, type Tree, treeOf } from "./tree.ts";

/** The stored settings' layer of the config. */
export interface StoreLayer {
  readonly tree: Tree;
  /** Dotted keys that it sets. */
  readonly keys: ReadonlySet<string>;
  readonly warnings: readonly ConfigProblem[];
}

/** Dotted keys that may be changed at run time. */
export function writableKeys(): readonly string[] {
  return configKeys().flatMap(({ path, writable }) => (writable ? [formatPath(path)] : []));
}

/** What no longer fits, after an upgrade or a downgrade, is passed over: it must not stop the router. */
export function readStoreLayer(overrides: Readonly<Record<string, string>>): StoreLayer {
  let tree: Tree = {};
  const keys = new Set<string>();
  const warnings: ConfigProblem[] = [];
  for (const [key, json] of Object.entries(overrides)) {
    const value = valueOf(json);
    const problem = storedValueProblem(key, value);
    if (problem === undefined) {
      tree = mergeTrees(tree, treeOf(key.split("."), value));
      keys.add(key);
    } else warnings.push(storedProblem(key, `${problem}; the stored value is not used`));
  }
  return { tree, keys, warnings };
}

/** Why a value cannot be stored under a key; undefined if it can. */
export function storedValueProblem(key: string, value: unknown): string | undefined {
  if (!writableKeys().includes(key)) return "cannot be changed at run time";
  if (value === null || value === undefined) return "there is no value";
  const [finding] = shapeFindings(treeOf(key.split("."), value));
  if (finding === undefined) return undefined;
  return finding.hint === undefined ? finding.message : `${finding.message}; ${finding.hint}`;
}

export function storedProblem(key: string, message: string): ConfigProblem {
  const hint = `change it with \`PUT /admin/v1/config/${key}\`, or remove it with \`DELETE\``;
  return { source: "stored setting", line: null, column: null, path: key, message, hint };
}

function valueOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
