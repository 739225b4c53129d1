/** The latest values: once it is full, the newest takes the place of the oldest. */
export interface Ring<T> {
  readonly push: (value: T) => void;
  /** Up to `limit` values, newest first. */
  readonly newest: (limit: number) => T[];
  readonly find: (isMeant: (value: T) => boolean) => T | undefined;
}

export function createRing<T>(capacity: number): Ring<T> {
  const values: T[] = [];
  /** Where the next value goes; once full, also where the oldest is. */
  let next = 0;
  return {
    push(value) {
      values[next] = value;
      next = next + 1 === capacity ? 0 : next + 1;
    },
    newest: (limit) =>
      [...values.slice(next), ...values.slice(0, next)].toReversed().slice(0, limit),
    find: (isMeant) => values.find(isMeant),
  };
}
