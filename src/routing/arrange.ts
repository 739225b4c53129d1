import type { Params } from "../address/target.ts";
import type { Contender } from "./member.ts";
import type { Candidate, Reason } from "./plan.ts";

const HELD_BACK = "tier_held_back";

export interface Arrangement {
  /** Orders the eligible of one tier, given as declared. */
  readonly strategy: (contenders: readonly Contender[]) => readonly Contender[];
  /** Whether two contenders may share a target. */
  readonly has_repeats: boolean;
  /** `id` of the one that stands for its target, if it may serve at all; else the first one does. */
  readonly keep: string | null;
  readonly params: ParamsFor;
}

/** What goes upstream. */
export interface ParamsFor {
  /** Given the target's own parameters. */
  readonly layered: (own: Params) => Params;
  /** Names of parameters that are not the target's; null if there are none. */
  readonly preferred: ReadonlySet<string> | null;
}

/**
 * A permutation of the contenders: the eligible of the lowest tier as the strategy orders them, then
 * the higher tiers held back behind it in the order they take over, then the rest as declared.
 */
export function arrange(
  contenders: readonly Contender[],
  arrangement: Arrangement,
): readonly Candidate[] {
  const [only] = contenders;
  if (only === undefined || contenders.length > 1) return arrangeAll(contenders, arrangement);
  return [candidate(only, only.reasons, arrangement.params)];
}

function arrangeAll(
  contenders: readonly Contender[],
  { strategy, has_repeats, keep, params }: Arrangement,
): readonly Candidate[] {
  const open = contenders.filter(isOpen);
  const tiers = tiersOf(open);
  const sequence =
    tiers.length < 2
      ? strategy(open)
      : tiers.flatMap((tier) => strategy(open.filter(({ member }) => member.order === tier)));
  const lowest = tiers[0] ?? 0;
  const isKept = ({ member }: Contender) => member.id === keep && member.order === lowest;
  const twice = has_repeats ? repeated(sequence, sequence.find(isKept)) : null;
  const candidates: Candidate[] = [];
  for (const contender of sequence) {
    if (twice?.has(contender)) continue;
    candidates.push(candidate(contender, heldBack(contender, lowest), params));
  }
  for (const contender of contenders) {
    if (twice?.has(contender)) candidates.push(candidate(contender, [REPEATED], params));
    else if (!isOpen(contender)) candidates.push(candidate(contender, contender.reasons, params));
  }
  return candidates;
}

function isOpen({ reasons }: Contender): boolean {
  return reasons.length === 0;
}

/** The tiers there are, lowest first. */
function tiersOf(open: readonly Contender[]): readonly number[] {
  const first = open[0]?.member.order;
  // Most pools have one tier.
  if (open.every(({ member }) => member.order === first)) return first === undefined ? [] : [first];
  return [...new Set(open.map(({ member }) => member.order))].toSorted((a, b) => a - b);
}

/** Whether a candidate may be tried when its turn comes: it is eligible, or only waits for its tier. */
export function isTriable({ reasons }: Pick<Candidate, "reasons">): boolean {
  return reasons.every(({ code }) => code === HELD_BACK);
}

const REPEATED: Reason = {
  layer: 7,
  code: "duplicate_member",
  detail: "another member of this plan has the same target",
  until_at: null,
};

/** Contenders whose target another one of the sequence stands for: one attempt per key. */
function repeated(
  sequence: readonly Contender[],
  kept: Contender | undefined,
): ReadonlySet<Contender> {
  const keys = new Set<string>(kept && [kept.member.key]);
  return new Set(
    sequence.filter((contender) => {
      const { key } = contender.member;
      const isRepeated = keys.has(key) && contender !== kept;
      keys.add(key);
      return isRepeated;
    }),
  );
}

function heldBack({ member: { order }, reasons }: Contender, lowest: number): Reason[] {
  if (order === lowest) return reasons;
  const detail = `order ${order} waits until order ${lowest} has no candidate left`;
  return [{ layer: 7, code: HELD_BACK, detail, until_at: null }];
}

function candidate(
  { member, signals }: Contender,
  reasons: Reason[],
  { layered: layer, preferred }: ParamsFor,
): Candidate {
  const { instance, model, params: own } = member.target;
  const layered = layer(own);
  return {
    target: member.key,
    eligible: reasons.length === 0,
    reasons,
    score: null,
    member: layered === own ? member.target : { instance, model, params: layered },
    ...(preferred !== null && { preferred }),
    id: member.id,
    window_tokens: signals.card.window_tokens,
  };
}
