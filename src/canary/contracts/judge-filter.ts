import type { Verdict } from "../../verify/verdict.ts";
import { failed, inconclusive, PASSED, type ProbeVerdict, transport } from "./contract.ts";

/** Signatures of a host that will not write what the model would. */
const REFUSED: ReadonlySet<string> = new Set(["content_filter", "refusal_text", "empty_200"]);

/** Whether a host lets a harmless but dark scene through: a filter, a refusal and silence are none. */
export function judgeFilter({ signature, trips }: Verdict): ProbeVerdict {
  if (signature === null) return PASSED;
  if (signature === "truncated_stream") return transport("stream_interrupted");
  if (REFUSED.has(signature) || trips) return failed(signature);
  return signature === "client_capped_empty" ? inconclusive(signature) : PASSED;
}
