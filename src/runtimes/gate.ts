/** What lets new runtimes in until the router ends. */
export interface Gate {
  /** Null, and nothing begun, once it is closed. */
  readonly pass: <T>(act: () => Promise<T>) => Promise<T | null>;
  /** Settles once nobody is on the way through. Never rejects. */
  readonly close: () => Promise<void>;
}

export const CLOSED = "the router is ending, so nothing new is begun";

/**
 * Between the first write of a lease and the moment somebody answers for it, a router that ends would
 * not see it, and what it had begun to rent would be said by nobody.
 */
export function createGate(): Gate {
  const inside = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    async pass(act) {
      if (isClosed) return null;
      const passing = act();
      inside.add(passing);
      try {
        return await passing;
      } finally {
        inside.delete(passing);
      }
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(inside);
    },
  };
}
