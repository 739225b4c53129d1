import { targetKey } from "../../address/target.ts";
import type { Contract } from "../contracts/contract.ts";
import type { Endpoint, EndpointKey } from "../endpoints/endpoint.ts";
import { type Answerer, isItsOwn } from "../probes/answered-by.ts";

/** What live traffic showed of an endpoint since the last round or so. */
export interface LiveEvidence {
  /** Streams whose first text came in time. */
  readonly timely: number;
  /** Streams whose first text did not. */
  readonly late: number;
}

export const NO_EVIDENCE: LiveEvidence = { timely: 0, late: 0 };

/** By endpoint, a host called what its answers call it. */
export type LiveEvidenceIndex = ReadonlyMap<EndpointKey, LiveEvidence>;

/** So many good live answers, and not one bad, make a question needless. */
const ENOUGH = 5;

/**
 * Whether live traffic has answered a question already, which is then counted as passed. What form and
 * language an answer should have is not known of live traffic, nor whether a refusal is the host's.
 */
export function isExercised(contract: Contract, { timely, late }: LiveEvidence): boolean {
  return contract === "ttft" && timely >= ENOUGH && late === 0;
}

/** What live traffic showed of one of these endpoints. */
export function evidenceOf(
  endpoint: Endpoint,
  endpoints: readonly Endpoint[],
  evidence: LiveEvidenceIndex,
): LiveEvidence | undefined {
  const [own, all] = [answererOf(endpoint), endpoints.map(answererOf)];
  return [...evidence].find(([recorded]) => isItsOwn(recorded, own, all))?.[1];
}

const answererOf = (endpoint: Endpoint): Answerer => ({
  ...endpoint,
  target: targetKey(endpoint),
});
