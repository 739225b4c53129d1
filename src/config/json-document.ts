import { jsonBreak } from "../protocol/json/position.ts";
import { arrayItems, type Member, objectMembers, skipBlanks } from "../protocol/json/scan.ts";
import type { Position, TomlResult } from "./parse.ts";
import type { Path } from "./problem.ts";
import { isTable } from "./tree.ts";

/** Reads JSON as `parseToml` reads TOML: a tree, and where its keys stand. */
export function parseJsonTree(text: string, file: string): TomlResult {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const problem = { source: file, line: 1, column: 1, path: "", hint: null };
  try {
    const tree: unknown = JSON.parse(source);
    if (!isTable(tree)) {
      return { ok: false, problem: { ...problem, message: "must be a JSON object" } };
    }
    return { ok: true, document: { tree, positionOf: (path) => positionIn(source, path) } };
  } catch {
    const place = jsonBreak(source);
    return { ok: false, problem: { ...problem, ...place, message: "JSON syntax: it breaks here" } };
  }
}

/** Where a key stands, or the nearest one around it. */
function positionIn(source: string, path: Path): Position {
  const bytes = new TextEncoder().encode(source);
  let value = skipBlanks(bytes, 0);
  let key = value;
  for (const name of path) {
    const found = childOf(bytes, value, name);
    if (found === undefined) break;
    key = found.key;
    value = found.value;
  }
  const before = new TextDecoder().decode(bytes.subarray(0, key));
  return { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") };
}

function childOf(
  bytes: Uint8Array,
  at: number,
  name: string,
): { readonly key: number; readonly value: number } | undefined {
  // Of a key that stands twice a parser sees the last one.
  const member = objectMembers(bytes, at).findLast(({ key }: Member) => key === name);
  if (member !== undefined) return { key: member.keySpan.start, value: member.value.start };
  const element = arrayItems(bytes, at)[Number(name)];
  return element && { key: element.start, value: element.start };
}
