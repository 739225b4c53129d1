import type { ProbeResult } from "../contracts/contract.ts";
import type { EndpointKey } from "../endpoints/endpoint.ts";
import type { ContractOutcome } from "./outcome.ts";

/** Whether the question about filters still tells anything, by hosts that are known to filter. */
export interface ProbeStrength {
  readonly is_weak: boolean;
  /** Controls that let it through in the round before. */
  readonly passed: readonly EndpointKey[];
}

export const STRONG: ProbeStrength = { is_weak: false, passed: [] };

export interface ControlResult {
  readonly endpoint: EndpointKey;
  readonly result: ProbeResult;
}

/**
 * Weak as soon as half of the controls let the question through in one round, or one does in two in a
 * row; strong again when a control filters and neither holds. Controls that gave no answer say nothing.
 */
export function nextStrength(
  before: ProbeStrength,
  controls: readonly ControlResult[],
): ProbeStrength {
  const decisive = controls.filter(({ result }) => result === "pass" || result === "fail");
  if (decisive.length === 0) return before;
  const passed = decisive.filter(({ result }) => result === "pass").map(({ endpoint }) => endpoint);
  const isRepeated = passed.some((endpoint) => before.passed.includes(endpoint));
  return { is_weak: isRepeated || 2 * passed.length >= decisive.length, passed };
}

/** With a weak question nobody is blamed and nobody is congratulated. */
export function weighFilter(
  outcomes: readonly ContractOutcome[],
  { is_weak }: ProbeStrength,
): readonly ContractOutcome[] {
  if (!is_weak) return outcomes;
  return outcomes.map((outcome) => {
    const { contract, result } = outcome;
    const isJudged = result === "pass" || result === "fail";
    if (contract !== "filter" || !isJudged) return outcome;
    return { contract, locale: null, result: "inconclusive", reason: "weak_probe" } as const;
  });
}
