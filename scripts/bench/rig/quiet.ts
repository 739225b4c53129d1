import { processorTime } from "./processes.ts";

/** Share of one processor that others may use while something is measured. */
const OTHERS_ALLOWED = 0.05;
const STOLEN_ALLOWED = 0.02;
/** Readings count in ticks, and each may be one off. */
const TICK_MS = 10;
const TICKS_OFF = 2;

export interface Quiet {
  /**
   * Measures while nothing else runs. A measurement that others disturbed is thrown away and made
   * again once the machine is quiet, until the patience is used up; then it is kept.
   */
  measure<T>(run: () => Promise<T>): Promise<T>;
  readonly counts: {
    readonly measured: number;
    readonly thrown_away: number;
    readonly disturbed: number;
  };
}

/** How long one measurement waits for a quiet machine before it is made again. */
const WAIT_MS = 30_000;

/** `patience_ms` is what waiting and measuring again may take, all together. */
export function createQuiet({ patience_ms }: { readonly patience_ms: number }): Quiet {
  const counts = { measured: 0, thrown_away: 0, disturbed: 0 };
  let left_ms = patience_ms;
  return {
    counts,
    async measure(run) {
      counts.measured++;
      for (;;) {
        const began = performance.now();
        const { result, disturbed } = await watched(run);
        if (!disturbed) return result;
        if (left_ms <= 0) {
          counts.disturbed++;
          return result;
        }
        counts.thrown_away++;
        await waitUntilQuiet(Math.min(WAIT_MS, left_ms));
        left_ms -= performance.now() - began;
      }
    },
  };
}

/** Settles once a second passed undisturbed; false if the time is up before. */
export async function waitUntilQuiet(wait_ms: number): Promise<boolean> {
  const end = performance.now() + wait_ms;
  while (performance.now() < end) {
    const { disturbed } = await watched(() => Bun.sleep(Math.min(1000, wait_ms)));
    if (!disturbed) return true;
  }
  return false;
}

async function watched<T>(run: () => Promise<T>): Promise<{ result: T; disturbed: boolean }> {
  const before = processorTime();
  const began = performance.now();
  const result = await run();
  const ticks = (performance.now() - began) / TICK_MS;
  const after = processorTime();
  const others = after.others - before.others;
  const stolen = after.stolen - before.stolen;
  const disturbed =
    others > ticks * OTHERS_ALLOWED + TICKS_OFF || stolen > ticks * STOLEN_ALLOWED + TICKS_OFF;
  return { result, disturbed };
}
