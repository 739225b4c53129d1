/** Keys from the root of the config to a value; array positions are decimal text. */
export type Path = readonly string[];

/** Something wrong at a key, before it is known which layer the value came from. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Something wrong with the configuration, placed where a person can fix it. Never holds a secret. */
export interface ConfigProblem {
  /** The config file, or the environment variable or stored setting at fault. */
  readonly source: string;
  /** From 1; null unless `source` is a file. */
  readonly line: number | null;
  readonly column: number | null;
  /** Dotted key, quoted as TOML would; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string | null;
}

/** One line, such as ``veriroute.toml:12:3: providers.nim.base_ur: unknown key; did you mean `base_url`?`` */
export function formatProblem(problem: ConfigProblem): string {
  const place =
    problem.line === null
      ? problem.source
      : `${problem.source}:${problem.line}:${problem.column ?? 1}`;
  const said = problem.hint === null ? problem.message : `${problem.message}; ${problem.hint}`;
  return [place, problem.path, said].filter((part) => part !== "").join(": ");
}

/** The spelling of a key in a TOML file: bare where that is allowed, else quoted. */
export function formatKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Dotted text of a path; it identifies the path, since quoted keys cannot collide with bare ones. */
export function formatPath(path: Path): string {
  return path.map(formatKey).join(".");
}

/** The path whose dotted text this is: the inverse of `formatPath`. */
export function parsePath(dotted: string): Path {
  const parts = dotted.match(/"(?:[^"\\]|\\.)*"|[^."]+/g) ?? [];
  return parts.map((part) => (part.startsWith('"') ? String(JSON.parse(part)) : part));
}

/** `` `a`, `b` and 3 more `` for messages that list what exists. */
export function listNames(names: readonly string[], limit = 8): string {
  const shown = names.slice(0, limit).map((name) => `\`${name}\``);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
