import type { CanaryRoundRow } from "../rows.ts";
import { type ContractOutcome, resultOf } from "./outcome.ts";
import type { PlannedEndpoint } from "./plan-round.ts";
import type { ProbeStrength } from "./probe-strength.ts";
import { nextStrength, weighFilter } from "./probe-strength.ts";

/** A planned endpoint with what its questions came to. */
export interface ProbedEndpoint extends Pick<
  PlannedEndpoint,
  "endpoint" | "role" | "is_production"
> {
  /** One for each question, asked or settled; a question that the budget did not allow is `transport`. */
  readonly outcomes: readonly ContractOutcome[];
}

export type RoundHead = Pick<
  CanaryRoundRow,
  "round_id" | "round_n" | "mode" | "started_at" | "ended_at" | "interval_ms"
>;

/** The rows of a round that is over, the worth of the question about filters taken into account. */
export function finishRound(
  head: RoundHead,
  probed: readonly ProbedEndpoint[],
  before: ProbeStrength,
): readonly CanaryRoundRow[] {
  const controls = probed
    .filter(({ role }) => role === "control")
    .map(({ endpoint, outcomes }) => ({ endpoint: endpoint.key, result: resultOf(outcomes) }));
  const strength = nextStrength(before, controls);
  return probed.map(({ endpoint, role, is_production, outcomes: found }) => {
    const outcomes = role === "control" ? found : weighFilter(found, strength);
    const { key, instance, model, host, groups } = endpoint;
    const about = { role, endpoint: key, instance, model, host, groups };
    const is_capacity = is_production && !isTurnedAway(found);
    const result = resultOf(outcomes);
    return { ...head, ...about, is_production: is_capacity, result, outcomes };
  });
}

/** What requests are turned away for as long as nobody does something about it. */
const LASTING: ReadonlySet<string> = new Set(["auth", "insufficient_credit", "model_not_found"]);

/** Nothing was answered, for a reason that clients would meet as well. */
function isTurnedAway(outcomes: readonly ContractOutcome[]): boolean {
  return (
    outcomes.every(({ result }) => result === "transport") &&
    outcomes.some(({ reason }) => reason !== null && LASTING.has(reason))
  );
}
