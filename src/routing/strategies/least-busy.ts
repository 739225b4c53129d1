import type { Contender } from "../member.ts";
import { ranked } from "./rank.ts";

/** Fewest requests in flight first. */
export function leastBusy(contenders: readonly Contender[]): readonly Contender[] {
  return ranked(contenders, ({ signals }) => signals.in_flight);
}
