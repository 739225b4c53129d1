import { type SpecErrorCode, textFault } from "./spec-fault.ts";
import { NAME, parseSpec } from "./spec.ts";
import type { Spec } from "./target.ts";

/** What a client's `model` string asks for. */
export type WireModel =
  | { readonly kind: "auto" }
  | { readonly kind: "lane" | "pool" | "profile"; readonly name: string }
  /** `text` is the whole string: a local server may list a model by exactly that name. */
  | { readonly kind: "spec"; readonly spec: Spec; readonly text: string }
  | { readonly kind: "bare"; readonly name: string }
  | { readonly kind: "invalid"; readonly error: SpecErrorCode; readonly message: string };

/** Trimmed, and without the `veriroute/` that harnesses put in front; it is taken off once. */
export function wireText(model: string): string {
  return model.trim().replace(/^veriroute\//i, "");
}

/**
 * Reads a `model` string. `isHead` says whether a lower-case name is a provider type or an instance;
 * any other head makes the whole string a bare model name, which keeps `llama3.3:70b` and
 * `nvidia/nemotron:free` working. `auto`, `default` and the prefixes ignore case, names do not.
 */
export function readWireModel(model: string, isHead: (name: string) => boolean): WireModel {
  const text = wireText(model);
  if (/^(auto|default)?$/i.test(text)) return { kind: "auto" };
  const unusable = textFault(text);
  if (unusable !== undefined) {
    return { kind: "invalid", error: unusable.error, message: unusable.message };
  }
  const named = readNamed(text);
  if (named !== undefined) return named;
  const head = text.split(/[:?#]/, 1)[0] ?? "";
  if (!NAME.test(head) || !isHead(head.toLowerCase())) return { kind: "bare", name: text };
  const parsed = parseSpec(text);
  return parsed.ok
    ? { kind: "spec", spec: parsed.spec, text }
    : { kind: "invalid", error: parsed.error, message: parsed.message };
}

function readNamed(text: string): WireModel | undefined {
  const colon = text.indexOf(":");
  const name = text.slice(colon + 1).trim();
  switch (text.slice(0, Math.max(colon, 0)).toLowerCase()) {
    case "lane":
      return { kind: "lane", name };
    case "pool":
      return { kind: "pool", name };
    case "profile":
      return { kind: "profile", name };
    default:
      return undefined;
  }
}
