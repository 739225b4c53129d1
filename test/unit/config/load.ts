import { loadConfig, type LoadRequest, type LoadResult } from "../../../src/config/layers.ts";
import { formatProblem } from "../../../src/config/problem.ts";
import type { FileText } from "../../../src/config/read-file.ts";
import type { Config } from "../../../src/config/schema.ts";

export interface Given extends Partial<Omit<LoadRequest, "path" | "readFile">> {
  /** Other files, by absolute path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly mode?: number;
}

const PATH = "/etc/veriroute/veriroute.toml";

/** Loads a config text as if it were a file, with nothing else around it. */
export function load(text: string, { files = {}, mode = 0o600, ...given }: Given = {}): LoadResult {
  const all: Readonly<Record<string, string>> = { ...files, [PATH]: text };
  const readFile = (path: string): FileText => {
    const found = all[path];
    if (found === undefined) return { ok: false, reason: "no such file" };
    return { ok: true, text: found, mode };
  };
  const empty = { env: {}, overrides: {}, keyScopes: new Set<never>() };
  return loadConfig({ ...empty, ...given, path: PATH, readFile });
}

/** Problems as a person reads them, without the folder of the file. */
export function problemsOf(text: string, given: Given = {}): string[] {
  const result = load(text, given);
  return result.ok ? [] : result.problems.map((problem) => shorten(formatProblem(problem)));
}

export function warningsOf(text: string, given: Given = {}): string[] {
  return load(text, given).warnings.map((problem) => shorten(formatProblem(problem)));
}

/** The config of a text that must be right. */
export function configOf(text: string, given: Given = {}): Config {
  const result = load(text, given);
  if (result.ok) return result.config;
  throw new Error(result.problems.map((problem) => formatProblem(problem)).join("\n"));
}

function shorten(line: string): string {
  return line.replace("/etc/veriroute/", "");
}
