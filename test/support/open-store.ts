import { systemClock } from "../../src/lib/clock.ts";
import { openStore, type StoreDependencies } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";

/** A store that closes with its scope. Its log is silent: what it says is also in `stats()`. */
export async function openTestStore(
  path = ":memory:",
  changes: Partial<StoreDependencies> = {},
): Promise<Store & AsyncDisposable> {
  const log = { warn: () => undefined, error: () => undefined };
  const store = await openStore({ path, log, clock: systemClock, ...changes });
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}

/**
 * What a promise of the store is rejected with. `expect(…).rejects` would wait without letting the
 * worker's messages in.
 */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return { resolved: await promise };
  } catch (error) {
    return error;
  }
}
