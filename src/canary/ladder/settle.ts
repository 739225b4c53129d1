import type { SuspensionRow } from "../rows.ts";
import { eventRow } from "./events.ts";
import { type EndpointState, FORGET_MS, isGap, NO_STREAKS, RESET_MS } from "./state.ts";

/** A state and what happened on the way to it. */
export interface Step {
  readonly state: EndpointState;
  readonly events: readonly SuspensionRow[];
}

interface RoundClock {
  readonly round_id: string;
  readonly started_at: number;
  readonly ended_at: number;
  readonly interval_ms: number;
}

/** What time alone does to an endpoint until the end of a round, before the round counts. */
export function settle(state: EndpointState, clock: RoundClock): Step {
  const { ended_at: now, round_id, started_at, interval_ms } = clock;
  const events: SuspensionRow[] = [];
  let settled = state;
  // Whether there was no round or it was not in it: what came before is not the round before.
  if (isGap(started_at - state.last_seen_at, interval_ms)) {
    settled = { ...settled, fail_streak: 0, clean_streak: 0 };
  }
  if (settled.suspended !== null && settled.suspended.until_at <= now) {
    const at = settled.suspended.until_at;
    settled = { ...settled, ...NO_STREAKS, suspended: null };
    events.push(eventRow("expired", settled, { at, round_id }));
  }
  if (isForgotten(settled, now)) {
    settled = { ...settled, level: 0 };
    events.push(eventRow("ladder_reset", settled, { at: now, round_id }, { is_news: false }));
  }
  return { state: settled, events };
}

function isForgotten(state: EndpointState, now: number): boolean {
  const { suspended, level, last_bad_at, has_recovered } = state;
  if (suspended !== null || level === 0 || last_bad_at === null) return false;
  return has_recovered && now - last_bad_at >= RESET_MS;
}

/** An endpoint that has been gone for so long that its history is dropped. */
export function isDropped({ is_present, last_seen_at }: EndpointState, now: number): boolean {
  return !is_present && now - last_seen_at >= FORGET_MS;
}
