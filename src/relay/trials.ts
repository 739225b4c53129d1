/**
 * Requests that are on their way to something benched, to find out whether it works again. Counted
 * per bench, so that half open means one request at a time whatever way it came.
 */
export interface Trials {
  isUnderWay(key: string): boolean;
  /** Whether nobody is on its way at all. */
  isIdle(): boolean;
  /** Counts a request for each key until the returned function is called, once. */
  begin(keys: readonly string[]): () => void;
}

export function createTrials(): Trials {
  const underWay = new Map<string, number>();
  const add = (key: string, change: number) => {
    const count = (underWay.get(key) ?? 0) + change;
    if (count === 0) underWay.delete(key);
    else underWay.set(key, count);
  };
  return {
    isUnderWay: (key) => underWay.has(key),
    isIdle: () => underWay.size === 0,
    begin(keys) {
      for (const key of keys) add(key, 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        for (const key of keys) add(key, -1);
      };
    },
  };
}
