const PAUSE_MS = 10;

/**
 * Asks again until it gets something other than undefined or false, and returns that; the time limit
 * of the test is its own. For conditions inside another process, which cannot wake us.
 */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const got = await ask();
    if (got !== undefined && got !== false) return got;
    await Bun.sleep(PAUSE_MS);
  }
}
