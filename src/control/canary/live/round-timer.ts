import { JITTER_MS, nextRoundAt } from "../../../canary/rounds/schedule.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Random } from "../../../lib/random.ts";

export interface RoundTimer {
  /** Plans the next round from when the last one began, epoch ms; null before the first. */
  plan(last_started_at: number | null): void;
  /** Epoch ms; null if none is planned. */
  nextAt(): number | null;
  stop(): void;
}

interface TimerDependencies {
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  readonly interval_ms: () => number;
  readonly onDue: () => void;
}

/** How often it is looked whether a round is due: a timer alone would sleep as long as the machine did. */
const LOOK_MS = 30_000;

export function createRoundTimer(dependencies: TimerDependencies): RoundTimer {
  const { clock, random, interval_ms, onDue } = dependencies;
  let due: number | null = null;
  let timer: Timer | undefined;

  const next = (last_started_at: number | null) =>
    nextRoundAt({ last_started_at, interval_ms: interval_ms() }, clock.now(), random);

  function look(): void {
    clearTimeout(timer);
    if (due === null) return;
    const now = clock.now();
    // The clock was set back: what was planned by it may be years away.
    if (due - now > interval_ms() + JITTER_MS) due = next(now);
    const left = due - now;
    if (left <= 0) {
      due = null;
      return onDue();
    }
    timer = setTimeout(look, Math.min(left, LOOK_MS));
    timer.unref();
  }

  return {
    plan(last_started_at) {
      due = next(last_started_at);
      look();
    },
    nextAt: () => due,
    stop() {
      clearTimeout(timer);
      due = null;
    },
  };
}
