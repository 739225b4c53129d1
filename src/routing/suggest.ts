import { nearestNames } from "../lib/nearest.ts";

/** How many names are compared letter by letter, which is quadratic in their length. */
const SHORTLIST = 64;
const MAX_LENGTH = 64;

/**
 * The five known names nearest to a mistyped one. Thousands of names are thinned out by the letter
 * pairs they share first: a client that keeps asking for a missing model must not stall the streams.
 */
export function suggest(name: string, known: Iterable<string>): string[] {
  const wanted = name.slice(0, MAX_LENGTH);
  const names = [...known];
  return nearestNames(wanted, names.length > SHORTLIST ? likeliest(wanted, names) : names);
}

function likeliest(wanted: string, names: readonly string[]): string[] {
  const folded = wanted.toLowerCase();
  const pairs = new Set(Array.from({ length: folded.length }, (_, at) => folded.slice(at, at + 2)));
  return names
    .map((name) => ({ name, share: sharedPairs(name.toLowerCase(), pairs) }))
    .toSorted((a, b) => b.share - a.share)
    .slice(0, SHORTLIST)
    .map(({ name }) => name);
}

/** Letter pairs in common, as a share of those the two have together. */
function sharedPairs(name: string, pairs: ReadonlySet<string>): number {
  let shared = 0;
  for (let at = 0; at < name.length; at++) if (pairs.has(name.slice(at, at + 2))) shared++;
  return shared / (name.length + pairs.size);
}
