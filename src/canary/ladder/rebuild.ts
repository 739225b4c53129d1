import type { CanaryRoundRow, SuspensionRow } from "../rows.ts";
import { type Applied, applyRound } from "./apply-round.ts";
import { liftAgain } from "./lift.ts";
import { EMPTY_FLEET, type Fleet } from "./state.ts";

/** What is kept of the past, in any order; rows that are there twice count once. */
export interface CanaryHistory {
  readonly rounds: readonly CanaryRoundRow[];
  /** All rows, or only those of kind `operator_lift`: the others follow from the rounds. */
  readonly suspensions: readonly SuspensionRow[];
}

/**
 * Works the state out from rows, as it was or would have been had nothing stopped. Events come again with
 * the same ids: those that are not stored yet are the ones that were not acted on. `from` is a fleet that
 * was kept when older rows were pruned.
 */
export function rebuildFleet(
  { rounds, suspensions }: CanaryHistory,
  from: Fleet = EMPTY_FLEET,
): Applied {
  const lifts = [...uniqueBy(suspensions, ({ id }) => id)].filter(
    ({ kind, at }) => kind === "operator_lift" && at > (from.last_round_at ?? -1),
  );
  const steps = [
    ...roundsOf(rounds).map((rows) => ({ at: rows[0]?.ended_at ?? 0, rows, row: null })),
    ...lifts.map((row) => ({ at: row.at, rows: [], row })),
    // At the same instant the round comes first: only then there was something to lift.
  ].toSorted((a, b) => a.at - b.at || Number(a.row !== null) - Number(b.row !== null));
  const events: SuspensionRow[] = [];
  let fleet = from;
  for (const { rows, row } of steps) {
    const applied = row === null ? applyRound(fleet, rows) : liftAgain(fleet, row);
    fleet = applied.fleet;
    events.push(...applied.events);
  }
  return { fleet, events };
}

function roundsOf(rows: readonly CanaryRoundRow[]): readonly (readonly CanaryRoundRow[])[] {
  const unique = uniqueBy(rows, (row) => `${row.round_id} ${row.role} ${row.endpoint}`);
  return [...Map.groupBy(unique, ({ round_id }) => round_id).values()];
}

function uniqueBy<T>(rows: readonly T[], keyOf: (row: T) => string): Iterable<T> {
  return new Map(rows.map((row) => [keyOf(row), row])).values();
}
