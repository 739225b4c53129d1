import { pickNext } from "../../../canary/rounds/schedule.ts";

interface Keyed {
  readonly endpoint: { readonly key: string };
}

/**
 * Does a round's work for each, as many at once as a round may and no endpoint twice at a time; results
 * in the order of `all`. `work` must not reject.
 */
export async function inTurns<T extends Keyed, R>(
  all: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const results = new Map<T, R>();
  const running = new Map<string, Promise<void>>();
  let waiting: readonly T[] = all;

  async function run(one: T): Promise<void> {
    results.set(one, await work(one));
    running.delete(one.endpoint.key);
  }

  while (waiting.length + running.size > 0) {
    for (const one of pickNext(waiting, new Set(running.keys()))) {
      waiting = waiting.filter((other) => other !== one);
      running.set(one.endpoint.key, run(one));
    }
    await Promise.race(running.values());
  }
  return all.flatMap((one) => {
    const result = results.get(one);
    return result === undefined ? [] : [result];
  });
}
