/** How a pool's requests went lately. */
export interface FailoverStreak {
  /** The target that would serve if all were well. */
  readonly first_choice: string;
  /** Requests in a row that another target served. */
  readonly count: number;
}

/** A member of a plan, as far as it matters here. */
interface Planned {
  readonly target: string;
  readonly eligible: boolean;
  readonly reasons: readonly { readonly layer: number }[];
}

/** Requests in a row after which a broken first choice is no accident. */
const PERSISTENT = 10;

/** From this layer on a bench is automatic: what a person shut out is no failure to be warned of. */
const FIRST_AUTOMATIC_LAYER = 3;

/** The streak after one more request of the pool, which `served` answered. */
export function afterServed(
  streak: FailoverStreak | null,
  candidates: readonly Planned[],
  served: string,
): FailoverStreak | null {
  const first_choice = firstChoice(streak?.first_choice ?? null, candidates);
  if (first_choice === null) return null;
  if (first_choice === served) return { first_choice, count: 0 };
  const goesOn = streak?.first_choice === first_choice;
  return { first_choice, count: goesOn ? streak.count + 1 : 1 };
}

/** Once per streak, however long it gets. */
export function isPersistent({ count }: FailoverStreak): boolean {
  return count === PERSISTENT;
}

/**
 * The head of the plan, but a first choice that failures keep out stays the first choice: that it is
 * passed over from then on is what must not go unnoticed.
 */
function firstChoice(previous: string | null, candidates: readonly Planned[]): string | null {
  const before = candidates.find(({ target }) => target === previous);
  const isBenched =
    before?.eligible === false &&
    before.reasons.every(({ layer }) => layer >= FIRST_AUTOMATIC_LAYER);
  if (isBenched) return previous;
  const [head] = candidates;
  return head?.eligible === true ? head.target : null;
}
