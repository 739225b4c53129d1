import type { Member } from "../member.ts";

/** Declared order. */
export function priority(members: readonly Member[]): readonly Member[] {
  return members;
}
