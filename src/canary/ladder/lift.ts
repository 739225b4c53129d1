import type { SuspensionRow } from "../rows.ts";
import type { Applied } from "./apply-round.ts";
import { eventRow } from "./events.ts";
import { type Fleet, NO_STREAKS } from "./state.ts";

export interface Lift {
  readonly endpoint: string;
  /** Epoch ms. */
  readonly at: number;
  /** Start the ladder again from the bottom, too. */
  readonly forgives: boolean;
}

/** A person lifts a suspension, or forgives a history; undefined for an endpoint that is not known. */
export function lift(fleet: Fleet, { endpoint, at, forgives }: Lift): Applied | undefined {
  const state = fleet.endpoints.get(endpoint);
  if (state === undefined) return undefined;
  const level = forgives ? 0 : state.level;
  const lifted = { ...state, ...NO_STREAKS, suspended: null, level };
  const endpoints = new Map([...fleet.endpoints, [endpoint, lifted]]);
  const row = eventRow("operator_lift", lifted, { at, round_id: null }, { forgives });
  return { fleet: { ...fleet, endpoints }, events: [row] };
}

/** The same from its row, when the state is worked out again. */
export function liftAgain(fleet: Fleet, row: SuspensionRow): Applied {
  return lift(fleet, row) ?? { fleet, events: [] };
}
