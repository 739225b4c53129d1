import { targetKey } from "../../address/target.ts";
import type { Contract } from "../contracts/contract.ts";
import { type Endpoint, type EndpointKey, endpointKey } from "../endpoints/endpoint.ts";
import { isFromAsked } from "../probes/answered-by.ts";

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

/** What live traffic showed of one of these endpoints; a name that several hosts go by tells of none. */
export function evidenceOf(
  endpoint: Endpoint,
  endpoints: readonly Endpoint[],
  evidence: LiveEvidenceIndex,
): LiveEvidence | undefined {
  if (endpoint.host === null) return evidence.get(endpoint.key);
  const target = targetKey(endpoint);
  const siblings = endpoints.filter((one) => one.host !== null && targetKey(one) === target);
  const prefix = endpointKey(target, "");
  for (const [key, seen] of evidence) {
    if (!key.startsWith(prefix)) continue;
    const named = siblings.filter((one) => isFromAsked(one, key.slice(prefix.length)));
    if (named.length === 1 && named[0]?.key === endpoint.key) return seen;
  }
  return undefined;
}
