import { SHIFT_ENVIRONMENT } from "../shifted-clock.ts";

/**
 * Lets the time of the process pass `VERIROUTE_TEST_HASTE` times as fast since `VERIROUTE_TEST_EPOCH`, for
 * processes one after the other alike: calendar, durations and timers.
 */
const haste = Number(process.env["VERIROUTE_TEST_HASTE"] ?? 1);
const epoch = Number(process.env["VERIROUTE_TEST_EPOCH"] ?? 0);

if (haste !== 1) {
  const [now, elapsed] = [Date.now, performance.now.bind(performance)];
  const wait = globalThis.setTimeout;
  Date.now = () => Math.round(epoch + (now() - epoch) * haste);
  Object.defineProperty(performance, "now", { value: () => elapsed() * haste });
  globalThis.setTimeout = Object.assign(
    (run: () => void, ms?: number, ...more: unknown[]) => wait(run, (ms ?? 0) / haste, ...more),
    wait,
  );
}

/** What makes a Bun that is started with it, compiled or not, hurry. */
export function hurried(times: number, since: number): Readonly<Record<string, string>> {
  return {
    ...SHIFT_ENVIRONMENT,
    VERIROUTE_TEST_HASTE: String(times),
    VERIROUTE_TEST_EPOCH: String(since),
    BUN_OPTIONS: `--preload=${import.meta.path}`,
  };
}
