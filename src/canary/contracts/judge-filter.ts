import { isVisible } from "../../protocol/openai/fields.ts";
import { explainSilence } from "../../verify/empty.ts";
import type { Verdict } from "../../verify/verdict.ts";
import type { AnsweredReply } from "../probes/reply.ts";
import { failed, inconclusive, PASSED, type ProbeVerdict, transport } from "./contract.ts";
import { refusalIn, saidIn } from "./refusal.ts";

const CAPPED = "client_capped_empty";

/** Whether a host lets a harmless but dark scene through: a filter, a refusal and silence are none. */
export function judgeFilter(reply: AnsweredReply, { signature, trips }: Verdict): ProbeVerdict {
  const refusal = refusalIn(reply);
  if (refusal === "content_filter") return failed(refusal);
  if (signature === "truncated_stream") return transport("stream_interrupted");
  if (refusal !== null) return failed(refusal);
  if (signature !== null && trips) return failed(signature);
  if (signature === CAPPED) return inconclusive(signature);
  return isVisible(saidIn(reply)) ? PASSED : judgeSilence(reply);
}

/** No text: either reasoning stands alone, or something that takes the place of text. */
function judgeSilence({ text, answer }: AnsweredReply): ProbeVerdict {
  if (!isVisible(text)) return PASSED;
  const facts = { ...answer, has_reasoning: true, max_tokens: null, is_after_tool_result: false };
  return explainSilence(facts) === "capped" ? inconclusive(CAPPED) : failed("empty_200");
}
