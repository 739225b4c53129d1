import type { EndpointKey } from "../endpoints/endpoint.ts";
import type { CanaryMode, SuspensionRow } from "../rows.ts";
import { eventRow, type Occasion } from "./events.ts";
import type { Step } from "./settle.ts";
import {
  DAY_MS,
  type EndpointState,
  FAILING_ROUNDS,
  FLOOR,
  LADDER_DAYS,
  NO_STREAKS,
  TOP_LEVEL,
} from "./state.ts";

export interface Decided {
  readonly endpoints: ReadonlyMap<EndpointKey, EndpointState>;
  readonly events: readonly SuspensionRow[];
}

/**
 * What the end of a round brings to those that failed twice in a row: the longest row first, then by
 * name, and before each it is seen whether enough others would be left.
 */
export function decideDue(
  before: ReadonlyMap<EndpointKey, EndpointState>,
  occasion: Occasion,
  mode: CanaryMode,
): Decided {
  const endpoints = new Map(before);
  const events: SuspensionRow[] = [];
  for (const { endpoint } of dueIn(before)) {
    const state = endpoints.get(endpoint);
    if (state === undefined) continue;
    const isSpared = wouldBreakFloor(state, endpoints);
    const step =
      mode === "observe" ? report(state, occasion, isSpared) : act(state, occasion, isSpared);
    endpoints.set(endpoint, step.state);
    events.push(...step.events);
  }
  return { endpoints, events };
}

/** One that is excluded anyway is not suspended on top. */
function dueIn(endpoints: ReadonlyMap<EndpointKey, EndpointState>): readonly EndpointState[] {
  return [...endpoints.values()]
    .filter((state) => isActive(state) && state.fail_streak >= FAILING_ROUNDS)
    .toSorted((a, b) => b.fail_streak - a.fail_streak || (a.endpoint < b.endpoint ? -1 : 1));
}

/** A host that only cools down is active all the same: that passes within minutes. */
function isActive({ is_present, is_production, suspended }: EndpointState): boolean {
  return is_present && is_production && suspended === null;
}

function wouldBreakFloor(
  state: EndpointState,
  endpoints: ReadonlyMap<EndpointKey, EndpointState>,
): boolean {
  const active = [...endpoints.values()].filter(isActive);
  return state.groups.some(
    (group) => active.filter(({ groups }) => groups.includes(group)).length - 1 < FLOOR,
  );
}

function daysAt(level: number): number {
  return LADDER_DAYS[Math.min(level, TOP_LEVEL - 1)] ?? 0;
}

function act(state: EndpointState, occasion: Occasion, isSpared: boolean): Step {
  const detail = state.last_fault;
  if (isSpared) {
    if (state.is_held) return { state, events: [] };
    const held = { ...state, is_held: true };
    return { state: held, events: [eventRow("floor_alert", held, occasion, { detail })] };
  }
  const until_at = occasion.at + daysAt(state.level) * DAY_MS;
  const suspended = {
    ...state,
    ...NO_STREAKS,
    level: Math.min(state.level + 1, TOP_LEVEL),
    suspended: { since_at: occasion.at, until_at },
  };
  return { state: suspended, events: [eventRow("suspended", suspended, occasion, { detail })] };
}

/** The endpoint goes on serving; that the floor would have held it back belongs to what is reported. */
function report(state: EndpointState, occasion: Occasion, isSpared: boolean): Step {
  const until_at = occasion.at + daysAt(state.level) * DAY_MS;
  const reported = { ...state, fail_streak: 0, is_reported: true };
  const floor = isSpared ? "; too few others would be left" : "";
  const row = eventRow("would_suspend", reported, occasion, {
    until_at,
    detail: `${state.last_fault}${floor}`,
    is_news: !state.is_reported,
  });
  return { state: reported, events: [row] };
}
