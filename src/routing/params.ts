import type { Params } from "../address/target.ts";

/** Two spellings of one request field: whoever sets either has set both. */
const SPELLINGS: Readonly<Record<string, string>> = {
  effort: "reasoning_effort",
  reasoning_effort: "effort",
  max_tokens: "max_completion_tokens",
  max_completion_tokens: "max_tokens",
};

/**
 * One set of parameters from several, low to high: those of the card, the provider, the target, the
 * lane, the profile. The call itself beats them all: what it sets is left out.
 */
export function layerParams(layers: readonly Params[], call: object): Params {
  const [only, ...others] = layers.filter((layer) => hasMembers(layer));
  if (only === undefined) return NONE;
  if (others.length === 0 && !Object.keys(only).some((name) => isSet(name, call))) return only;
  const layered = new Map(Object.entries(only));
  for (const [name, value] of others.flatMap((layer) => Object.entries(layer))) {
    layered.delete(SPELLINGS[name] ?? "");
    layered.set(name, value);
  }
  return Object.fromEntries([...layered].filter(([name]) => !isSet(name, call)));
}

const NONE: Params = {};

export function hasMembers(object: object): boolean {
  for (const _ in object) return true;
  return false;
}

/** Whether the call says it itself, under either spelling. */
export function isSet(name: string, call: object): boolean {
  return Object.hasOwn(call, name) || Object.hasOwn(call, SPELLINGS[name] ?? name);
}
