import { estimateCost } from "../../catalog/cost.ts";
import type { Contender } from "../member.ts";
import { ranked } from "./rank.ts";
import type { Ordering } from "./strategy.ts";

/** Cheapest first for a request of this size; one without a known price comes after every other. */
export function lowestCost(
  contenders: readonly Contender[],
  { need }: Pick<Ordering, "need">,
): readonly Contender[] {
  const { input_tokens, max_output_tokens: max_tokens } = need();
  const use = { input_tokens, max_tokens };
  return ranked(
    contenders,
    ({ signals }) => estimateCost(use, signals.card) ?? Number.POSITIVE_INFINITY,
  );
}
