/**
 * Lets timers and the clock that never jumps run ten times as fast in a process that is started with it,
 * for tests of what takes half a minute by its nature. The calendar stays as it is.
 */
const FACTOR = 10;

/** What only ends something that takes too long may pass sooner still, where a test waits for just that. */
const LONG_MS = 170_000;
const LONG_FACTOR = Number(process.env["LONG_TIMERS_FACTOR"] ?? FACTOR);

const start = performance.now();
const realNow = performance.now.bind(performance);
performance.now = () => start + (realNow() - start) * FACTOR;

const realSetTimeout = globalThis.setTimeout;
const scaled = (delay = 0) => delay / (delay < LONG_MS ? FACTOR : LONG_FACTOR);

Object.assign(globalThis, {
  setTimeout: Object.assign(
    (act: (...args: unknown[]) => void, delay?: number, ...args: unknown[]) =>
      realSetTimeout(act, scaled(delay), ...args),
    realSetTimeout,
  ),
});

/** For the environment of a Bun, compiled or not, that shall be that fast. */
export const FAST_ENVIRONMENT: Readonly<Record<string, string>> = {
  BUN_OPTIONS: `--preload=${import.meta.path}`,
};

/** For a process whose long time limits are to pass, though what they limit then has little time on a busy computer. */
export const SHORT_LIMITS = { LONG_TIMERS_FACTOR: "40" } as const;
