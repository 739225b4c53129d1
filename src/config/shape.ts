import type { TSchema } from "@sinclair/typebox";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";

import { quote } from "../address/spec-fault.ts";
import { MAX_TIMER_MS, parseDuration } from "../lib/durations.ts";
import { likelyName } from "../lib/nearest.ts";
import { parseSize } from "../lib/sizes.ts";
import { configKeys, isSecret, schemaAt, sectionNames } from "./keys.ts";
import { type Finding, formatKey, type Path } from "./problem.ts";
import { Config } from "./schema.ts";
import { isTable, leavesOf, type Tree } from "./tree.ts";
import { choicesOf, expectation, given } from "./words.ts";

/** Unknown keys, wrong types and values out of range. Keys left out are not looked at here. */
export function shapeFindings(tree: Tree): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  for (const error of Value.Errors(Config, tree)) {
    // A key that is missing shows up as an undefined value too; defaults come later.
    if (error.value === undefined || seen.has(error.path)) continue;
    seen.add(error.path);
    findings.push(findingOf(error));
  }
  return [...findings, ...nameFindings(tree), ...leafFindings(tree)];
}

/** Names that no model string can spell. TypeBox passes such tables over without looking inside. */
function nameFindings(tree: Tree): Finding[] {
  return sectionNames().flatMap((section) => {
    const [pattern = ""] = Object.keys(schemaAt([section])?.["patternProperties"] ?? {});
    const names = isTable(tree[section]) ? Object.keys(tree[section]) : [];
    return names
      .filter((name) => !new RegExp(pattern).test(name))
      .map((name) => ({
        path: [section, name],
        message: `${quote(name)} cannot be a name here`,
        hint: "use letters, digits, `-`, `_` and `.`, at most 64",
      }));
  });
}

/** Keys that a table lacks and that have no default. Expects right shapes, defaults filled in. */
export function missingFindings(tree: unknown): Finding[] {
  return [...Value.Errors(Config, tree)]
    .filter((error) => error.type === ValueErrorType.ObjectRequiredProperty)
    .map((error) => ({
      path: pathOf(error.path),
      message: "is missing",
      hint: `give ${expectation(error.schema)}`,
    }));
}

function findingOf(error: ValueError): Finding {
  const path = pathOf(error.path);
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    return { path, ...unknownKey(path, error.value) };
  }
  if (error.type === ValueErrorType.ArrayMinItems) {
    return { path, message: "is empty", hint: "add an entry, or remove the section" };
  }
  return { path, ...wrongValue(error.schema, error.value) };
}

function wrongValue(schema: TSchema, value: unknown): Omit<Finding, "path"> {
  const message = `expected ${expectation(schema)}, got ${given(value, isSecret(schema))}`;
  const near = typeof value === "string" ? likelyName(value, choicesOf(schema)) : undefined;
  return { message, hint: near === undefined ? undefined : `did you mean \`${near}\`?` };
}

function unknownKey(path: Path, value: unknown): Omit<Finding, "path"> {
  const parent = path.slice(0, -1);
  const key = path.at(-1) ?? "";
  const isSection = parent.length === 0 && isTable(value);
  const near = likelyName(key, keysOf(parent));
  const message = isSection ? "unknown section" : "unknown key";
  const home = configKeys().find((known) => known.key === key && !known.path.includes("*"));
  if (home !== undefined) return { message, hint: `\`${key}\` belongs in \`[${home.path[0]}]\`` };
  if (near !== undefined) return { message, hint: `did you mean \`${near}\`?` };
  return { message, hint: `known here: ${keysOf(parent).map(formatKey).join(", ")}` };
}

/** Keys that may stand in the table at `parent`. */
function keysOf(parent: Path): readonly string[] {
  if (parent.length === 0) return sectionNames();
  const properties: unknown = schemaAt(parent)?.["properties"];
  return isTable(properties) ? Object.keys(properties) : [];
}

/** Values whose shape is right but which mean nothing: what JSON Schema cannot say. */
function leafFindings(tree: Tree): Finding[] {
  return [...leavesOf(tree)].flatMap(({ path, value }) => {
    // Copies of a table would lose the name or, worse, take its value as their prototype.
    if (path.includes("__proto__")) return [{ path, message: "`__proto__` cannot be a name" }];
    const schema = schemaAt(path);
    const message = typeof value === "string" && schema ? outOfRange(schema, value) : undefined;
    return message === undefined ? [] : [{ path, message }];
  });
}

function outOfRange(schema: TSchema, text: string): string | undefined {
  if (schema["format_hint"] === "size") {
    return parseSize(text) === 0 ? "must be more than zero" : undefined;
  }
  if (!String(schema["format_hint"]).startsWith("duration")) return undefined;
  const milliseconds = parseDuration(text) ?? 1;
  if (milliseconds === 0 && schema["zero"] !== true) return "must be more than zero";
  const tooLong = milliseconds > MAX_TIMER_MS && schema["long"] !== true;
  return tooLong ? `\`${text}\` is longer than a timer can run (24 days)` : undefined;
}

/** Keys of a JSON pointer. */
function pathOf(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
