import { targetKey } from "../address/target.ts";
import type { Member } from "./member.ts";
import type { Candidate, Reason } from "./plan.ts";
import type { Strategy } from "./strategies/strategy.ts";

const HELD_BACK = "tier_held_back";

/**
 * A permutation of the members: the eligible of the lowest tier as the strategy orders them, then the
 * higher tiers held back behind it in the order they take over, then the rest as declared.
 */
export function arrange(members: readonly Member[], strategy: Strategy): readonly Candidate[] {
  const open = members.filter(({ reasons }) => reasons.length === 0);
  const tiers = [...new Set(open.map(({ order }) => order))].toSorted((a, b) => a - b);
  const sequence = tiers.flatMap((tier) => strategy(open.filter(({ order }) => order === tier)));
  const twice = repeated(sequence);
  const inTurn = sequence.filter((member) => !twice.has(member));
  const lowest = tiers[0] ?? 0;
  return [
    ...inTurn.map((member) => candidate(member, heldBack(member, lowest))),
    ...members
      .filter((member) => member.reasons.length > 0 || twice.has(member))
      .map((member) => candidate(member, twice.has(member) ? [REPEATED] : member.reasons)),
  ];
}

/** Whether a candidate may be tried when its turn comes: it is eligible, or only waits for its tier. */
export function isTriable({ reasons }: Pick<Candidate, "reasons">): boolean {
  return reasons.every(({ code }) => code === HELD_BACK);
}

const REPEATED: Reason = {
  layer: 7,
  code: "duplicate_member",
  detail: "the same target stands earlier in this plan",
  until_at: null,
};

/** Members whose target an earlier one of the sequence has already: one attempt per key. */
function repeated(sequence: readonly Member[]): ReadonlySet<Member> {
  const keys = new Set<string>();
  return new Set(
    sequence.filter(({ target }) => {
      const key = targetKey(target);
      const isRepeated = keys.has(key);
      keys.add(key);
      return isRepeated;
    }),
  );
}

function heldBack({ order }: Member, lowest: number): readonly Reason[] {
  if (order === lowest) return [];
  const detail = `order ${order} waits until order ${lowest} has no candidate left`;
  return [{ layer: 7, code: HELD_BACK, detail, until_at: null }];
}

function candidate({ target }: Member, reasons: readonly Reason[]): Candidate {
  return {
    target: targetKey(target),
    eligible: reasons.length === 0,
    reasons: [...reasons],
    score: null,
    member: target,
  };
}
