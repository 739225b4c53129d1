import { KindGuard, type TSchema } from "@sinclair/typebox";

import { likelyName } from "../lib/nearest.ts";
import { type ConfigKey, configKeys, recordEntry, sectionNames } from "./keys.ts";
import type { Env } from "./paths.ts";
import { formatPath, type Path } from "./problem.ts";
import { isTable, mergeTrees, type Tree, treeOf } from "./tree.ts";

const PREFIX = "VERIROUTE_";

/** Variables with our prefix that are no settings: they are read before or beside the config. */
const OTHER_VARIABLES = new Set(
  ["STATE_DIR", "CONFIG", "ADMIN_KEY", "KEY", "REQUIRE_ALL", "BINARY"].map((name) => PREFIX + name),
);

interface VariableProblem {
  readonly variable: string;
  readonly message: string;
  readonly hint?: string;
}

/** The environment's layer of the config. */
export interface EnvironmentLayer {
  readonly tree: Tree;
  /** By dotted path of the value: the variable that set it. */
  readonly variables: ReadonlyMap<string, string>;
  /** Variables of a known section that name no setting. */
  readonly problems: readonly VariableProblem[];
  /** Variables with our prefix that belong to no section; they may be meant for something else. */
  readonly warnings: readonly VariableProblem[];
}

/** `VERIROUTE_<SECTION>_<KEY>`, with the name between for a section of named tables. */
export function variableName(path: Path): string {
  return PREFIX + path.map((part) => (part === "*" ? "<NAME>" : upper(part))).join("_");
}

function upper(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");
}

/** Reads all settings from the environment. `file` tells how names in it are spelt. */
export function readEnvironment(env: Env, file: Tree): EnvironmentLayer {
  let tree: Tree = {};
  const variables = new Map<string, string>();
  const problems: VariableProblem[] = [];
  const warnings: VariableProblem[] = [];
  for (const [variable, text] of Object.entries(env)) {
    if (text === undefined || !variable.startsWith(PREFIX) || OTHER_VARIABLES.has(variable))
      continue;
    const found = resolveVariable(variable, file);
    if (found.kind === "unknown") {
      (found.inSection ? problems : warnings).push({ variable, ...found.words });
      continue;
    }
    const value = valueOf(found.key, text);
    if (value === undefined) continue;
    tree = mergeTrees(tree, treeOf(found.path, value));
    variables.set(formatPath(found.path), variable);
  }
  return { tree, variables, problems, warnings };
}

type Resolved =
  | { readonly kind: "setting"; readonly key: ConfigKey; readonly path: Path }
  | {
      readonly kind: "unknown";
      readonly inSection: boolean;
      readonly words: Omit<VariableProblem, "variable">;
    };

function resolveVariable(variable: string, file: Tree): Resolved {
  const rest = variable.slice(PREFIX.length);
  for (const key of configKeys()) {
    const path = pathIn(rest, key, file);
    if (path !== undefined) return { kind: "setting", key, path };
  }
  const section = sectionNames().find((name) => rest.startsWith(`${upper(name)}_`));
  // What all names share would make any of them look near.
  const start = section === undefined ? PREFIX : `${PREFIX}${upper(section)}_`;
  const ends = configKeys()
    .filter((key) => isSettable(key))
    .map((key) => variableName(key.path))
    .flatMap((name) => (name.startsWith(start) ? [name.slice(start.length)] : []));
  const near = likelyName(variable.slice(start.length), ends);
  const hint = near === undefined ? {} : { hint: `did you mean \`${start}${near}\`?` };
  if (section === "aliases" || section === "exclusions") {
    const message = `${section} cannot be set by variable`;
    const words = { message, hint: "write them in the file" };
    return { kind: "unknown", inSection: true, words };
  }
  return {
    kind: "unknown",
    inSection: section !== undefined,
    words: { message: section === undefined ? "is no setting, ignored" : "is no setting", ...hint },
  };
}

/** Aliases and exclusions have free text as keys, which no variable name can spell. */
function isSettable(key: ConfigKey): boolean {
  return key.path.at(-1) !== "*";
}

/** The path that `rest` of a variable names, if it names this key. */
function pathIn(rest: string, { path }: ConfigKey, file: Tree): Path | undefined {
  const [section = "", ...inner] = path;
  if (inner[0] !== "*")
    return rest === `${upper(section)}_${upper(path.at(-1) ?? "")}` ? path : undefined;
  const key = inner.slice(1).map((part) => upper(part));
  const [start, end] = [`${upper(section)}_`, `_${key.join("_")}`];
  if (inner.length < 2 || !rest.startsWith(start) || !rest.endsWith(end)) return undefined;
  const name = rest.slice(start.length, -end.length);
  if (name === "" || rest.length < start.length + end.length) return undefined;
  return [section, spelling(name, file[section]), ...inner.slice(1)];
}

/** The name as the file spells it, else in lower case. */
function spelling(name: string, table: unknown): string {
  const known = isTable(table)
    ? Object.keys(table).find((other) => upper(other) === name)
    : undefined;
  return known ?? name.toLowerCase();
}

/**
 * The text as a value of the key's kind; text that is none stays text, to be refused with the other
 * wrong types. Undefined for an empty variable, which counts as unset unless it empties a list or
 * would be an empty secret, which must not pass unseen.
 */
function valueOf(key: ConfigKey, text: string): unknown {
  if (KindGuard.IsArray(key.schema)) return listOf(text);
  if (text.trim() === "" && !key.secret) return undefined;
  return scalarOf(key.schema, text);
}

function scalarOf(schema: TSchema, text: string): unknown {
  const trimmed = text.trim();
  if (KindGuard.IsInteger(schema) || KindGuard.IsNumber(schema)) {
    return /^-?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
  }
  if (KindGuard.IsBoolean(schema)) {
    return trimmed === "true" || trimmed === "false" ? trimmed === "true" : text;
  }
  if (recordEntry(schema) !== undefined) return jsonOf(trimmed) ?? text;
  return text;
}

/** Comma-separated, or a JSON list where an element holds a comma. */
function listOf(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith("[")) return jsonOf(trimmed) ?? text;
  return trimmed.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
