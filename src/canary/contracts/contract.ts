/** What a probe checks. */
export type Contract = "ttft" | "filter" | "structured" | "language";

export const CONTRACTS: readonly Contract[] = ["ttft", "filter", "structured", "language"];

/**
 * `inconclusive`: the answer says nothing either way. `transport`: there was no answer to judge, or not
 * from where it was asked for.
 */
export type ProbeResult = "pass" | "fail" | "inconclusive" | "transport";

export interface ProbeVerdict {
  readonly result: ProbeResult;
  /** A fixed word of ours, such as `too_slow` or the name of a signature; null if nothing is to be said. */
  readonly reason: string | null;
  /** The language that the answer was in, where that was judged. */
  readonly detected?: string;
}

export const PASSED: ProbeVerdict = { result: "pass", reason: null };

export function failed(reason: string): ProbeVerdict {
  return { result: "fail", reason };
}

export function inconclusive(reason: string): ProbeVerdict {
  return { result: "inconclusive", reason };
}

export function transport(reason: string): ProbeVerdict {
  return { result: "transport", reason };
}
