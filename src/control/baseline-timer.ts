/** A crash loses the counts of so long, which is little of a day. */
const INTERVAL_MS = 60_000;

/** Has baselines written down every minute and at the end. */
export function createBaselineTimer(save: () => void) {
  let timer: Timer | undefined;
  return {
    start(): void {
      timer ??= setInterval(save, INTERVAL_MS);
      timer.unref();
    },
    stop(): void {
      clearInterval(timer);
      timer = undefined;
      save();
    },
  };
}
