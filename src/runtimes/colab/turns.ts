/** Runs what has the same name one after the other, in the order of the calls. */
export type TakeTurn = <T>(name: string, run: () => Promise<T>) => Promise<T>;

export function createTurns(): TakeTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (name, run) => {
    const before = last.get(name);
    const turn = (async () => {
      await before?.catch(() => undefined);
      return run();
    })();
    last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (last.get(name) === turn) last.delete(name);
    }
  };
}

export interface Ways {
  /** Of what is under way or waits under the name. */
  readonly signal: (name: string) => AbortSignal;
  /** Aborts that signal; the next one is fresh. */
  readonly clear: (name: string) => void;
}

export function createWays(): Ways {
  const ways = new Map<string, AbortController>();
  return {
    signal(name) {
      const way = ways.get(name) ?? new AbortController();
      ways.set(name, way);
      return way.signal;
    },
    clear(name) {
      ways.get(name)?.abort();
      ways.delete(name);
    },
  };
}
