import type { Verdict } from "../../verify/verdict.ts";
import type { AnsweredReply } from "../probes/reply.ts";
import { failed, inconclusive, PASSED, type ProbeVerdict, transport } from "./contract.ts";

/** So long a user waits for the first text, once the host took the request. Loose on purpose. */
export const TTFT_LIMIT_MS = 10_000;

/** The allowance went into reasoning. */
const CAPPED = "client_capped_empty";

/**
 * Comments are no text. Reasoning is none either, but a host that shows it in time is at work, and
 * clients have something to read: when its text comes is its model's business.
 */
export function judgeTtft(reply: AnsweredReply, verdict: Verdict): ProbeVerdict {
  const { first_text_ms: text, first_reasoning_ms: reasoning, duration_ms } = reply;
  const isInTime = isTimely(text) || isTimely(reasoning);
  if (!isInTime && (text !== null || duration_ms >= TTFT_LIMIT_MS)) return failed("too_slow");
  if (text !== null) return verdict.trips ? failed(verdict.signature ?? "bad_output") : PASSED;
  if (verdict.signature === CAPPED && isInTime) return PASSED;
  return judgeSilence(reply, verdict);
}

function judgeSilence(reply: AnsweredReply, { signature }: Verdict): ProbeVerdict {
  if (signature === CAPPED) return inconclusive(CAPPED);
  if (signature === "truncated_stream") return transport("stream_interrupted");
  if (isUnfinished(reply)) return inconclusive("still_reasoning");
  return failed(signature ?? "empty_200");
}

function isTimely(at_ms: number | null): boolean {
  return at_ms !== null && at_ms <= TTFT_LIMIT_MS;
}

/** The probe was given up while the answer was under way. */
function isUnfinished({ answer, duration_ms }: AnsweredReply): boolean {
  return answer.finish === null && answer.is_done !== true && duration_ms >= TTFT_LIMIT_MS;
}
