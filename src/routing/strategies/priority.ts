import type { Contender } from "../member.ts";

/** Declared order. */
export function priority(contenders: readonly Contender[]): readonly Contender[] {
  return contenders;
}
