import type { Contender } from "../member.ts";
import type { Ordering } from "./strategy.ts";

/** Declared order, begun one further with every plan of the pool. */
export function roundRobin(
  contenders: readonly Contender[],
  { cursor }: Pick<Ordering, "cursor">,
): readonly Contender[] {
  const start = contenders.length === 0 ? 0 : cursor % contenders.length;
  return [...contenders.slice(start), ...contenders.slice(0, start)];
}
