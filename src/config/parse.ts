import { parse, TomlError } from "smol-toml";
import { type AST, parseTOML } from "toml-eslint-parser";

import { isTooDeep } from "../protocol/json/nesting.ts";
import { configKeys } from "./keys.ts";
import { type ConfigProblem, formatPath, type Path } from "./problem.ts";
import { isTable, type Tree } from "./tree.ts";

/** Lines and columns from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

interface TomlDocument {
  readonly tree: Tree;
  /** Where a key stands, or the nearest table around it; the top of the file for anything else. */
  positionOf(path: Path): Position;
}

export type TomlResult =
  | { readonly ok: true; readonly document: TomlDocument }
  | { readonly ok: false; readonly problem: ConfigProblem };

/** Reads TOML. A syntax error ends it at once: what follows one cannot be trusted to mean anything. */
export function parseToml(text: string, file: string): TomlResult {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    const tree: unknown = parse(source);
    if (!isTable(tree)) throw new TypeError("a TOML document is not a table");
    if (isTooDeep(tree)) return { ok: false, problem: tooDeep(file) };
    return { ok: true, document: { tree, positionOf: positionLookup(source) } };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { ok: false, problem: syntaxProblem(error, { source, file }) };
  }
}

function tooDeep(file: string): ConfigProblem {
  const message = "its tables nest too deeply to be read";
  return { source: file, line: null, column: null, path: "", message, hint: null };
}

/** The parser's own message carries the lines around the error, secrets included, so it is rebuilt. */
function syntaxProblem(
  error: TomlError,
  { source, file }: { source: string; file: string },
): ConfigProblem {
  const reason = /^Invalid TOML document: (.*)/.exec(error.message)?.[1] ?? "not valid TOML";
  const line = source.split(/\r?\n/)[error.line - 1] ?? "";
  const frame = frameOf(line, error);
  const hint = hintFor(reason, line);
  return {
    source: file,
    line: error.line,
    column: error.column,
    path: "",
    message: `TOML syntax: ${reason}${hint === null ? frame : ""}`,
    hint: hint === null ? null : `${hint}${frame}`,
  };
}

/** The line with a caret, only where its key is known to hold nothing secret. */
function frameOf(line: string, { line: number, column }: Position): string {
  const key = /^\s*([A-Za-z0-9_-]+)\s*=/.exec(line)?.[1] ?? "";
  const known = configKeys().filter((configKey) => configKey.key === key);
  if (known.length === 0 || known.some((configKey) => configKey.sensitive)) return "";
  const gutter = `  ${number} | `;
  return `\n${gutter}${line.slice(0, 120)}\n${" ".repeat(gutter.length + column - 1)}^`;
}

function hintFor(reason: string, line: string): string | null {
  if (/^invalid value|end-of-line|numeric literal/.test(reason)) {
    return 'text values need quotes, as in `host = "127.0.0.1"`';
  }
  if (reason.includes("redefine")) return "remove one of the two";
  if (reason.includes("cannot find end of key")) return "a setting is written `key = value`";
  if (reason.includes("unfinished string") && line.includes("\\")) {
    return "a backslash is written `\\\\`, or use single quotes";
  }
  return null;
}

/** Reads the text a second time only once a position is asked for: a file is right most of the time. */
function positionLookup(source: string): (path: Path) => Position {
  let positions: ReadonlyMap<string, Position> | undefined;
  return (path) => {
    positions ??= positionsOf(source);
    for (let length = path.length; length > 0; length--) {
      const position = positions.get(formatPath(path.slice(0, length)));
      if (position !== undefined) return position;
    }
    return { line: 1, column: 1 };
  };
}

function positionsOf(source: string): ReadonlyMap<string, Position> {
  const positions = new Map<string, Position>();
  // Only placement is lost where the two parsers disagree about newer TOML.
  try {
    const [top] = parseTOML(source, { tomlVersion: "latest" }).body;
    for (const node of top.body) collect(node, [], positions);
  } catch {
    positions.clear();
  }
  return positions;
}

function collect(
  node: AST.TOMLKeyValue | AST.TOMLTable,
  parent: Path,
  positions: Map<string, Position>,
): void {
  if (node.type === "TOMLKeyValue") {
    const path = [...parent];
    for (const key of node.key.keys) {
      path.push(key.type === "TOMLBare" ? key.name : key.value);
      place(path, key.loc.start, positions);
    }
    return collectValue(node.value, path, positions);
  }
  const table = node.resolvedKey.map(String);
  for (const [index, key] of node.key.keys.entries()) {
    place(table.slice(0, index + 1), key.loc.start, positions);
  }
  for (const child of node.body) collect(child, table, positions);
}

function collectValue(
  value: AST.TOMLContentNode,
  path: Path,
  positions: Map<string, Position>,
): void {
  if (value.type === "TOMLInlineTable") {
    for (const child of value.body) collect(child, path, positions);
  }
  if (value.type !== "TOMLArray") return;
  for (const [index, element] of value.elements.entries()) {
    const inner = [...path, String(index)];
    place(inner, element.loc.start, positions);
    collectValue(element, inner, positions);
  }
}

/** The first mention of a key wins: `[server]` is where it stands, not a later `[server.x]`. */
function place(
  path: Path,
  start: AST.SourceLocation["start"],
  positions: Map<string, Position>,
): void {
  const key = formatPath(path);
  if (!positions.has(key)) positions.set(key, { line: start.line, column: start.column + 1 });
}
