import type { Verdict } from "../../verify/verdict.ts";
import type { AnsweredReply } from "../probes/reply.ts";
import { failed, inconclusive, PASSED, type ProbeVerdict, transport } from "./contract.ts";

/** So long a user waits for the first text, once the host took the request. Loose on purpose. */
export const TTFT_LIMIT_MS = 10_000;

/** Verdicts that a missing text is explained by. */
const CAPPED = "client_capped_empty";

/** Comments and reasoning are no text; a host that shows its reasoning in time is at work. */
export function judgeTtft(reply: AnsweredReply, verdict: Verdict): ProbeVerdict {
  const { first_text_ms: text, first_reasoning_ms: reasoning, duration_ms } = reply;
  if (text !== null) {
    if (text <= TTFT_LIMIT_MS)
      return verdict.trips ? failed(verdict.signature ?? "bad_output") : PASSED;
    return isTimely(reasoning) ? inconclusive("still_reasoning") : failed("too_slow");
  }
  if (duration_ms >= TTFT_LIMIT_MS) {
    return isTimely(reasoning) ? inconclusive("still_reasoning") : failed("too_slow");
  }
  if (verdict.signature === CAPPED) return inconclusive(CAPPED);
  if (verdict.signature === "truncated_stream") return transport("stream_interrupted");
  return failed(verdict.signature ?? "empty_200");
}

function isTimely(at_ms: number | null): boolean {
  return at_ms !== null && at_ms <= TTFT_LIMIT_MS;
}
