import type { Contract, ProbeResult, ProbeVerdict } from "../contracts/contract.ts";

/** How a contract came out in a round, confirmations included. */
export interface ContractOutcome extends ProbeVerdict {
  readonly contract: Contract;
  /** A language's code for the contract `language`, else null. */
  readonly locale: string | null;
}

/** How an endpoint came out: a failure outweighs all, what could not be asked outweighs what passed. */
export function resultOf(outcomes: readonly ContractOutcome[]): ProbeResult {
  const results = new Set(outcomes.map(({ result }) => result));
  if (results.has("fail")) return "fail";
  if (results.has("transport")) return "transport";
  return results.size === 1 && results.has("pass") ? "pass" : "inconclusive";
}
