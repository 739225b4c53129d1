import {
  decodePercent,
  fault,
  quote,
  read,
  type Reading,
  type SpecFault,
  textFault,
} from "./spec-fault.ts";
import { parseParams, printParams } from "./spec-params.ts";
import type { Spec } from "./target.ts";

/** What a provider type or instance may be called. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

/** Words that start a model string of another kind and so can name no instance. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set(["lane", "pool", "profile", "auto"]);

export type ParsedSpec = { readonly ok: true; readonly spec: Spec } | SpecFault;

/** Reads `provider:model?params#instance`; the order of the two suffixes does not matter. */
export function parseSpec(text: string): ParsedSpec {
  const trimmed = text.trim();
  if (trimmed === "") {
    return fault("empty", "the spec is empty; write `provider:model`, such as `openai:gpt-5.4`");
  }
  const unusable = textFault(trimmed);
  if (unusable !== undefined) return unusable;
  const suffixAt = trimmed.search(/[?#]/);
  const body = suffixAt === -1 ? trimmed : trimmed.slice(0, suffixAt);
  const colon = body.indexOf(":");
  const provider = readProvider(colon === -1 ? body : body.slice(0, colon));
  if (!provider.ok) return provider;
  const model = colon === -1 ? read(null) : readModel(body.slice(colon + 1));
  if (!model.ok) return model;
  const suffixes = readSuffixes(suffixAt === -1 ? "" : trimmed.slice(suffixAt));
  if (!suffixes.ok) return suffixes;
  return { ok: true, spec: { provider: provider.value, model: model.value, ...suffixes.value } };
}

function readProvider(head: string): Reading<string> {
  if (head === "" || /\s/.test(head)) {
    return fault(
      "no_provider",
      `there is no provider name right before the \`:\` (got ${quote(head)}); write \`provider:model\``,
    );
  }
  const folded = head.toLowerCase();
  if (RESERVED_NAMES.has(folded)) {
    return fault(
      "reserved_prefix",
      `${quote(folded)} is not a provider: a target is written \`provider:model\``,
    );
  }
  if (!NAME.test(head)) {
    return fault(
      "bad_provider",
      `${quote(head)} cannot name a provider; names are at most 64 letters, digits, \`_\`, \`.\` or \`-\`, the first a letter or digit`,
    );
  }
  return read(folded);
}

function readModel(encoded: string): Reading<string> {
  if (encoded === "") {
    return fault("empty_model", "nothing follows the `:`; name a model, or leave the `:` out");
  }
  const model = decodePercent(encoded, "model");
  if (!model.ok) return model;
  const unusable = textFault(model.value);
  if (unusable !== undefined) return unusable;
  if (/\s/.test(model.value)) {
    return fault("bad_model", `the model ${quote(model.value)} contains a space; remove it`);
  }
  return model;
}

function readSuffixes(text: string): Reading<Pick<Spec, "params" | "instance">> {
  let query: string | undefined;
  let instance: string | undefined;
  for (const part of text.match(/[?#][^?#]*/g) ?? []) {
    const content = part.slice(1);
    if (part.startsWith("?")) {
      if (query !== undefined) {
        return fault("duplicate_query", "there is a second `?`; write a literal one as `%3F`");
      }
      query = content;
    } else {
      if (instance !== undefined) {
        return fault("duplicate_instance", "there is a second `#`; write a literal one as `%23`");
      }
      instance = content;
    }
  }
  const label = readInstance(instance);
  if (!label.ok) return label;
  const params = parseParams(query ?? "");
  if (!params.ok) return params;
  return read({ params: params.value, instance: label.value });
}

function readInstance(text: string | undefined): Reading<string | null> {
  if (text === undefined) return read(null);
  if (text === "") {
    return fault("empty_instance", "nothing follows the `#`; name an instance, or leave it out");
  }
  const folded = text.toLowerCase();
  if (!NAME.test(text) || RESERVED_NAMES.has(folded)) {
    return fault(
      "bad_instance",
      `${quote(text)} cannot name an instance; names are at most 64 letters, digits, \`_\`, \`.\` or \`-\``,
    );
  }
  return read(folded);
}

/** The canonical spelling: sorted parameters, then the instance; encoded only where it must be. */
export function printSpec(spec: Spec): string {
  const model = spec.model === null ? "" : `:${encodeModel(spec.model)}`;
  const instance = spec.instance === null ? "" : `#${spec.instance}`;
  return `${spec.provider}${model}${printParams(spec.params)}${instance}`;
}

function encodeModel(model: string): string {
  return model.replaceAll(/[%?#]/g, (character) => encodeURIComponent(character));
}

/** Identity of what a spec names, params left out: `provider:model` under the instance's name. */
export function specKey(spec: Spec): string {
  const owner = spec.instance ?? spec.provider;
  return spec.model === null ? owner : `${owner}:${spec.model}`;
}
