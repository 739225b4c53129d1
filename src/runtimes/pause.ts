import { MAX_TIMER_MS } from "../lib/durations.ts";

/** Settles after the time, or as soon as the signal comes; never rejects. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Waits of more than 24 days end early rather than at once, which is how a timer takes them. */
export const systemPause: Pause = async (ms, signal) => {
  if (signal?.aborted === true) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, Math.min(ms, MAX_TIMER_MS));
  const end = () => resolve();
  signal?.addEventListener("abort", end, { once: true });
  await promise;
  clearTimeout(timer);
  signal?.removeEventListener("abort", end);
};
