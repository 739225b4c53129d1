import { fault, quote, read, type Reading } from "../address/spec-fault.ts";
import { parseSpec } from "../address/spec.ts";
import type { WorldInstance } from "./world.ts";

/** Which models of which providers may serve, made for fast look-ups. */
export interface Allowlist {
  /** `head:model`, heads in lower case. */
  readonly exact: ReadonlySet<string>;
  /** What stands before the `*`, by head. */
  readonly prefixes: ReadonlyMap<string, readonly string[]>;
}

interface AllowEntry {
  /** An instance or a provider type, in lower case. */
  readonly head: string;
  readonly model: string;
  readonly is_prefix: boolean;
}

/** Reads `provider:model`, where the model may end in `*`; the provider is an instance or a type. */
export function parseAllowEntry(text: string): Reading<AllowEntry> {
  const parsed = parseSpec(text);
  if (!parsed.ok) return parsed;
  const { provider, model, params, instance } = parsed.spec;
  if (model === null) {
    const all = quote(`${provider}:*`);
    return fault("empty_model", `${quote(text)} names no model; write ${all} to allow them all`);
  }
  const [param] = Object.keys(params);
  if (param !== undefined) {
    const message = `parameters say nothing about who may serve; leave ${quote(param)} out`;
    return fault("bad_param_name", message);
  }
  if (model.slice(0, -1).includes("*")) {
    return fault("bad_model", `\`*\` may only stand at the end of ${quote(text)}`);
  }
  const is_prefix = model.endsWith("*");
  const head = instance ?? provider;
  return read({ head, model: is_prefix ? model.slice(0, -1) : model, is_prefix });
}

/** Entries that cannot be read allow nothing. */
export function createAllowlist(entries: readonly string[]): Allowlist {
  const exact = new Set<string>();
  const prefixes = new Map<string, string[]>();
  for (const text of entries) {
    const entry = parseAllowEntry(text);
    if (!entry.ok) continue;
    const { head, model, is_prefix } = entry.value;
    if (is_prefix) prefixes.set(head, [...(prefixes.get(head) ?? []), model]);
    else exact.add(`${head}:${model}`);
  }
  return { exact, prefixes };
}

/** The built-in simulator is always allowed: it reaches nobody and costs nothing. */
export function isAllowed(
  allowlist: Allowlist,
  { name, type, source }: Pick<WorldInstance, "name" | "type" | "source">,
  model: string,
): boolean {
  if (source === "builtin") return true;
  return allowsTarget(allowlist, { instance: name, type: type.id, model });
}

interface Named {
  readonly instance: string;
  /** Provider type. */
  readonly type: string;
  readonly model: string;
}

/** Whether an entry names the target by its instance or its provider type; no list allows all. */
export function allowsTarget(
  allowlist: Allowlist | null,
  { instance, type, model }: Named,
): boolean {
  if (allowlist === null) return true;
  const { exact, prefixes } = allowlist;
  return [instance.toLowerCase(), type].some(
    (head) =>
      exact.has(`${head}:${model}`) ||
      (prefixes.get(head)?.some((prefix) => model.startsWith(prefix)) ?? false),
  );
}
