import type { Contract } from "../contracts/contract.ts";

/** What live traffic showed of an endpoint since the last round or so. */
export interface LiveEvidence {
  /** Streams whose first text came in time. */
  readonly timely: number;
  /** Streams whose first text did not. */
  readonly late: number;
  /** Answers that kept the schema they were asked for. */
  readonly kept_schema: number;
  readonly broke_schema: number;
}

export const NO_EVIDENCE: LiveEvidence = { timely: 0, late: 0, kept_schema: 0, broke_schema: 0 };

/** So many good live answers, and not one bad, make a question needless. */
const ENOUGH = 5;

/**
 * Whether live traffic has answered a question already, which is then counted as passed. What language an
 * answer should have is not known of live traffic, nor whether a refusal is the host's or the model's.
 */
export function isExercised(contract: Contract, evidence: LiveEvidence): boolean {
  const { timely, late, kept_schema, broke_schema } = evidence;
  if (contract === "ttft") return timely >= ENOUGH && late === 0;
  return contract === "structured" && kept_schema >= ENOUGH && broke_schema === 0;
}
