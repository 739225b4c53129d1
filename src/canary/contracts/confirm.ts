import { inconclusive, type ProbeResult, type ProbeVerdict } from "./contract.ts";

/** A question and its two confirmations. */
export const MAX_ATTEMPTS = 3;
const MAJORITY = 2;

export type Confirmation =
  { readonly kind: "ask_again" } | { readonly kind: "decided"; readonly verdict: ProbeVerdict };

/**
 * What the verdicts so far, in order, come to. A failure is asked about at once, up to twice, and stands
 * if two of three fail; where the confirmations do not settle it, it is no failure.
 */
export function confirm(verdicts: readonly ProbeVerdict[]): Confirmation {
  const [first] = verdicts;
  if (first === undefined) return { kind: "ask_again" };
  if (first.result !== "fail") return { kind: "decided", verdict: first };
  const count = (result: ProbeResult) => verdicts.filter((one) => one.result === result).length;
  if (count("fail") >= MAJORITY) return { kind: "decided", verdict: first };
  const passed = verdicts.find(({ result }) => result === "pass");
  if (passed && count("pass") >= MAJORITY) return { kind: "decided", verdict: passed };
  if (verdicts.length < MAX_ATTEMPTS) return { kind: "ask_again" };
  const unsent =
    count("pass") === 0 ? verdicts.find(({ result }) => result === "transport") : undefined;
  return { kind: "decided", verdict: unsent ?? inconclusive("not_confirmed") };
}
