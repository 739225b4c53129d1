export type Aliases = Readonly<Record<string, string>>;

/**
 * Which aliases may apply: `exact` names only; also `prefix*`; or the catch-all `*` as well, which
 * takes bare model names but never what was addressed in full.
 */
export type AliasReach = "exact" | "prefix" | "all";

export type AliasResolution =
  | { readonly kind: "none" }
  | { readonly kind: "alias"; readonly alias: string; readonly model: string }
  | { readonly kind: "loop"; readonly chain: readonly string[] };

/**
 * Follows aliases from `text` to the model string they end at. A prefix counts only for what the
 * client wrote, so `"claude-*" = "claude-sonnet-5-5"` is no loop; exact names may lead on to exact
 * names. An alias for itself ends the chain: it takes a name out of a prefix.
 */
export function resolveAlias(aliases: Aliases, text: string, reach: AliasReach): AliasResolution {
  const first = Object.hasOwn(aliases, text) ? text : longestPrefix(aliases, text, reach);
  if (first === undefined) return { kind: "none" };
  const chain = [first];
  let model = aliases[first] ?? text;
  while (Object.hasOwn(aliases, model) && model !== chain.at(-1)) {
    if (chain.includes(model)) return { kind: "loop", chain: [...chain, model] };
    chain.push(model);
    model = aliases[model] ?? model;
  }
  return { kind: "alias", alias: first, model };
}

function longestPrefix(aliases: Aliases, text: string, reach: AliasReach): string | undefined {
  if (reach === "exact") return undefined;
  return Object.keys(aliases)
    .filter((name) => name.endsWith("*") && (name !== "*" || reach === "all"))
    .filter((name) => text.startsWith(name.slice(0, -1)))
    .toSorted((a, b) => b.length - a.length)[0];
}
