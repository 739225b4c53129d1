import { UNVERIFIABLE } from "../verify/verdict.ts";
import type { AnswerScan } from "./answer-scan.ts";
import type { Judgement } from "./judgement.ts";

/** The judgement on an answer that our own scan broke down over. */
const NOT_JUDGED: Judgement = {
  verdict: { ...UNVERIFIABLE, detail: "the scan failed" },
  is_empty: false,
  ascii: { prompt: false, answer: false },
};

/**
 * A scan that costs nobody an answer: the first time it throws is told, and from then on the answer
 * goes unjudged.
 */
export function survivable(scan: AnswerScan, onFault: (error: unknown) => void): AnswerScan {
  let isBroken = false;

  function fail(error: unknown): void {
    isBroken = true;
    onFault(error);
  }

  function attempt<T>(step: () => T, otherwise: T): T {
    if (isBroken) return otherwise;
    try {
      return step();
    } catch (error) {
      fail(error);
      return otherwise;
    }
  }

  return {
    // Called for each delta of a stream, so without a step made for it.
    push(choice, text, bytes) {
      if (isBroken) return;
      try {
        scan.push(choice, text, bytes);
      } catch (error) {
        fail(error);
      }
    },
    suspicion: () => attempt(() => scan.suspicion(), null),
    isStartKnown: () => attempt(() => scan.isStartKnown(), true),
    end: (ended) => attempt(() => scan.end(ended), NOT_JUDGED),
  };
}
