import type { EndpointKey } from "../endpoints/endpoint.ts";
import { nextStrength } from "../rounds/probe-strength.ts";
import type { CanaryRoundRow, SuspensionRow } from "../rows.ts";
import { decideDue } from "./decide-due.ts";
import { eventRow } from "./events.ts";
import { isDropped, settle } from "./settle.ts";
import { type EndpointState, type Fleet, NO_STREAKS } from "./state.ts";
import { takeResult } from "./take-result.ts";

export interface Applied {
  readonly fleet: Fleet;
  /** What happened, in order. */
  readonly events: readonly SuspensionRow[];
}

/**
 * Takes in all rows of one round, which covers everything that is watched: an endpoint without a row is
 * gone. The same rows give the same fleet and the same events, ids included.
 */
export function applyRound(before: Fleet, round: readonly CanaryRoundRow[]): Applied {
  // Whatever order they come in, what follows is the same.
  const rows = round.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const [first] = rows;
  if (first === undefined || first.round_n <= before.last_round_n) {
    return { fleet: before, events: [] };
  }
  const { round_id, round_n, ended_at, mode } = first;
  const watched = new Map(
    rows.filter(({ role }) => role === "watched").map((row) => [row.endpoint, row]),
  );
  const occasion = { at: ended_at, round_id };
  const events: SuspensionRow[] = [];
  const endpoints = new Map<EndpointKey, EndpointState>();

  for (const state of before.endpoints.values()) {
    const settled = settle(state, first);
    events.push(...settled.events);
    if (watched.has(state.endpoint)) endpoints.set(state.endpoint, settled.state);
    else if (!isDropped(settled.state, ended_at)) {
      endpoints.set(state.endpoint, { ...settled.state, is_present: false });
      if (state.is_present) events.push(eventRow("vanished", settled.state, occasion, QUIET));
    }
  }
  for (const row of watched.values()) {
    const known = endpoints.get(row.endpoint);
    const seen = seenIn(row, known);
    if (known?.is_present !== true) events.push(eventRow("appeared", seen, occasion, QUIET));
    const taken = takeResult(seen, row);
    events.push(...taken.events);
    endpoints.set(row.endpoint, taken.state);
  }

  const decided = decideDue(endpoints, occasion, mode);
  const strength = nextStrength(
    before.strength,
    rows.filter(({ role }) => role === "control"),
  );
  return {
    fleet: {
      endpoints: decided.endpoints,
      strength,
      last_round_n: round_n,
      last_round_at: ended_at,
    },
    events: [...events, ...decided.events],
  };
}

const nameOf = ({ role, endpoint }: CanaryRoundRow) => `${role} ${endpoint}`;

const QUIET = { is_news: false } as const;

function seenIn(row: CanaryRoundRow, known: EndpointState | undefined): EndpointState {
  const { endpoint, instance, model, host, groups, is_production, ended_at } = row;
  return {
    ...(known ?? { ...NO_STREAKS, ...UNKNOWN }),
    endpoint,
    instance,
    model,
    host,
    groups,
    is_production,
    is_present: true,
    last_seen_at: ended_at,
  };
}

const UNKNOWN = {
  suspended: null,
  level: 0,
  last_bad_at: null,
  has_recovered: false,
  is_reported: false,
  repeat_locale: null,
  last_fault: null,
} as const;
