import { writtenSecrets } from "./expand.ts";
import { parseToml, type Position } from "./parse.ts";
import type { ConfigProblem, Finding, Path } from "./problem.ts";
import type { ReadFile } from "./read-file.ts";
import { isTable, type Tree } from "./tree.ts";

/** The file's layer of the config. */
export interface FileLayer {
  readonly ok: true;
  /** Null without a file. */
  readonly path: string | null;
  readonly tree: Tree;
  positionOf(path: Path): Position;
  readonly warnings: readonly Finding[];
}

export type FileResult = FileLayer | { readonly ok: false; readonly problem: ConfigProblem };

const TOP: Position = { line: 1, column: 1 };

export function readFileLayer(path: string | null, readFile: ReadFile): FileResult {
  if (path === null) {
    return { ok: true, path, tree: {}, positionOf: () => TOP, warnings: [] };
  }
  const file = readFile(path);
  if (!file.ok) return { ok: false, problem: unreadable(path, file.reason) };
  const parsed = parseToml(file.text, path);
  if (!parsed.ok) return parsed;
  const { document } = parsed;
  const { tree, shorthands } = longPools(document.tree);
  return {
    ok: true,
    path,
    tree,
    positionOf: (at) => document.positionOf(writtenPath(at, shorthands)),
    warnings: permissionWarnings(tree, file.mode),
  };
}

function unreadable(path: string, reason: string): ConfigProblem {
  const hint = "name another with `--config`, or write one with `veriroute init`";
  const message = `the config file cannot be read: ${reason}`;
  return { source: path, line: null, column: null, path: "", message, hint };
}

/** Pools in their long form: a list or a single text stands for a table with `targets`. */
function longPools(tree: Tree): {
  readonly tree: Tree;
  readonly shorthands: ReadonlySet<string>;
} {
  const shorthands = new Set<string>();
  if (!isTable(tree["pools"])) return { tree, shorthands };
  const pools = Object.entries(tree["pools"]).map(([name, pool]): [string, unknown] => {
    const isShort = typeof pool === "string" || Array.isArray(pool);
    if (isShort) shorthands.add(name);
    return [name, isShort ? { targets: membersOf(pool) } : pool];
  });
  return { tree: { ...tree, pools: Object.fromEntries(pools) }, shorthands };
}

function membersOf(pool: unknown): unknown {
  if (typeof pool !== "string") return pool;
  return pool.trim() === "" ? [] : [pool];
}

/** Where a value of a shorthand pool stands in the file, which has no `targets` key. */
function writtenPath(path: Path, shorthands: ReadonlySet<string>): Path {
  const [section, name = "", ...rest] = path;
  return section === "pools" && shorthands.has(name) && rest[0] === "targets"
    ? [section, name, ...rest.slice(1)]
    : path;
}

function permissionWarnings(tree: Tree, mode: number): Finding[] {
  const octal = `mode ${mode.toString(8).padStart(4, "0")}`;
  const hint = "run `chmod 600` on it";
  if ((mode & 0o022) !== 0) {
    return [{ path: [], message: `other users can change this file (${octal})`, hint }];
  }
  const [secret] = writtenSecrets(tree);
  if (secret === undefined || (mode & 0o044) === 0) return [];
  const message = `other users can read this secret (${octal})`;
  return [{ path: secret, message, hint: `${hint}, or use \`\${VAR}\` or \`file:/path\`` }];
}
