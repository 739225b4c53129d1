import { resolve } from "node:path";

import type { Env } from "./paths.ts";
import type { ReadFile } from "./read-file.ts";

export type Expansion =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string; readonly hint?: string };

export interface ExpansionSources {
  readonly env: Env;
  readonly readFile: ReadFile;
  /** Relative `file:` paths start here. */
  readonly directory: string;
}

/** Whether a text asks for a variable; such a text means nothing where none is replaced. */
export function hasVariable(text: string): boolean {
  return /(^|[^$])\$\{[A-Za-z_]/.test(text);
}

/** Whether a text only names where a secret is, without being one. */
export function isReference(text: string): boolean {
  return text.startsWith("file:") || hasVariable(text);
}

/**
 * Replaces `${VAR}` and `${VAR:-default}`; `$${` stands for a plain `${`. The default counts where
 * the variable is unset or empty.
 */
export function expandVariables(text: string, env: Env): Expansion {
  let problem: Expansion | undefined;
  const expanded = text.replaceAll(/\$?\$\{([^}]*)(\}?)/g, (whole, inside: string, end: string) => {
    if (whole.startsWith("$$")) return whole.slice(1);
    const value = end === "" ? undefined : variableValue(inside, env);
    if (typeof value === "string") return value;
    problem ??= value ?? { ok: false, message: "`${` without a closing `}`" };
    return "";
  });
  return problem ?? { ok: true, text: expanded };
}

function variableValue(inside: string, env: Env): string | Expansion {
  const [, name, fallback] = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside) ?? [];
  if (name === undefined) {
    const hint = "write `${NAME}` or `${NAME:-default}`; a plain `${` is written `$${`";
    return { ok: false, message: "`${…}` does not hold a variable's name", hint };
  }
  const value = env[name];
  if (fallback !== undefined) return value === undefined || value === "" ? fallback : value;
  if (value !== undefined) return value;
  const hint = `set it, give a default with \`\${${name}:-…}\`, or remove the line`;
  return { ok: false, message: `environment variable \`${name}\` is not set`, hint };
}

/**
 * A secret as configured: variables replaced and, where the text itself starts with `file:`, the
 * content of that file without its last line break. What a variable holds never names a file.
 */
export function expandSecret(
  text: string,
  { env, readFile, directory }: ExpansionSources,
): Expansion {
  const expanded = expandVariables(text, env);
  if (!expanded.ok || !text.startsWith("file:")) return expanded;
  const path = filePath(expanded.text, { env, directory });
  const file = readFile(path);
  if (!file.ok) {
    // A variable may hold the secret itself, put here by mistake.
    const shown = expanded.text === text ? path : text;
    return {
      ok: false,
      message: `\`${shown}\` cannot be read: ${file.reason}`,
      hint: "`file:` takes the path of a file that holds nothing but the secret",
    };
  }
  return { ok: true, text: file.text.replace(/(\r?\n)+$/, "") };
}

/** Absolute path of `file:/path`, `file:///path`, `file:~/path` or `file:path`. */
function filePath(text: string, places: PathPlaces): string {
  return absolutePath(text.slice("file:".length).replace(/^\/\/(?=\/)/, ""), places);
}

type PathPlaces = Pick<ExpansionSources, "env" | "directory">;

/** A path that the config gives: `~/` is home, and a relative one starts at the config file. */
export function absolutePath(path: string, { env, directory }: PathPlaces): string {
  const home = env["HOME"];
  if (home && path.startsWith("~/")) return resolve(home, path.slice(2));
  return resolve(directory, path);
}
