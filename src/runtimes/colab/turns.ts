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
