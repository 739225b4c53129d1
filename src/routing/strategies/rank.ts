import type { Contender } from "../member.ts";

/** Ascending by `rankOf`, which is asked once per contender; equal ranks stay as declared. */
export function ranked(
  contenders: readonly Contender[],
  rankOf: (contender: Contender) => number,
): readonly Contender[] {
  const ranks = contenders.map((contender) => ({ contender, rank: rankOf(contender) }));
  if (ranks.every(({ rank }, at) => rank >= (ranks[at - 1]?.rank ?? rank))) return contenders;
  return ranks.toSorted((a, b) => compare(a.rank, b.rank)).map(({ contender }) => contender);
}

/** Infinities are equal to themselves, which a subtraction would not see. */
function compare(a: number, b: number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
