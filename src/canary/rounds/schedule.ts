import type { Random } from "../../lib/random.ts";

/** Rounds keep no beat with anything else that runs every half an hour. */
export const JITTER_MS = 60_000;

interface Beat {
  /** Epoch ms the last round began at; null before the first. */
  readonly last_started_at: number | null;
  readonly interval_ms: number;
}

/**
 * When the next round is due, epoch ms: an interval after the last began, a minute more or less. One
 * that was missed is made up for within a minute, and only once. Where the clock was set back meanwhile,
 * the last one counts as having begun just now.
 */
export function nextRoundAt(
  { last_started_at, interval_ms }: Beat,
  now: number,
  random: Random,
): number {
  const jitter = Math.min(JITTER_MS, interval_ms / 2);
  if (last_started_at === null) return now + random() * jitter;
  const began_at = Math.min(last_started_at, now);
  const due = began_at + interval_ms + (2 * random() - 1) * jitter;
  return due > now ? due : now + random() * jitter;
}

export const MAX_AT_ONCE = 4;

/** Which of the waiting endpoints begin now, in order; no endpoint is probed twice at a time. */
export function pickNext<T extends { readonly endpoint: { readonly key: string } }>(
  waiting: readonly T[],
  running: ReadonlySet<string>,
): readonly T[] {
  const taken = new Set(running);
  const picked: T[] = [];
  for (const one of waiting) {
    if (taken.size >= MAX_AT_ONCE) break;
    if (taken.has(one.endpoint.key)) continue;
    taken.add(one.endpoint.key);
    picked.push(one);
  }
  return picked;
}
