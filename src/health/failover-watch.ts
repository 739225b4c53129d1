/** How a pool's requests went lately. */
export interface FailoverStreak {
  /** The target the last requests would rather have used. */
  readonly first_choice: string;
  /** Requests in a row that another target served. */
  readonly count: number;
}

interface Served {
  /** Key of the target that would have served had all been well; null if that cannot be told. */
  readonly first_choice: string | null;
  /** Key of the target that did serve. */
  readonly served: string;
}

/** Requests in a row after which a broken first choice is no accident. */
export const PERSISTENT_FAILOVERS = 10;

/** The streak after one more answered request. A warning is due exactly when it reaches the limit. */
export function afterServed(
  streak: FailoverStreak | null,
  { first_choice, served }: Served,
): FailoverStreak | null {
  if (first_choice === null) return streak;
  if (first_choice === served) return null;
  const count = streak?.first_choice === first_choice ? streak.count + 1 : 1;
  return { first_choice, count };
}

export function isPersistent(streak: FailoverStreak | null): boolean {
  return streak?.count === PERSISTENT_FAILOVERS;
}
