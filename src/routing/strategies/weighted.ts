import type { Contender } from "../member.ts";
import { ranked } from "./rank.ts";
import type { Ordering } from "./strategy.ts";

/**
 * A random order in which each contender comes first as often as its share of the weights left
 * (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006). Weight 0 is a spare.
 */
export function weighted(
  contenders: readonly Contender[],
  { random }: Pick<Ordering, "random">,
): readonly Contender[] {
  return ranked(contenders, ({ member: { weight } }) => {
    // Never zero, whose logarithm is infinite.
    const chance = 1 - random();
    return weight === 0 ? Number.POSITIVE_INFINITY : -Math.log(chance) / weight;
  });
}
